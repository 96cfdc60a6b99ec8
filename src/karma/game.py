"""Game: a game of Karma that one can talk to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import index
from typing import Any, NamedTuple

import numpy as np

from karma.cards import KINDS, by_kind, number_of
from karma.core import REFUSED, layout, legal_moves, new_log, new_view, play_moves, start
from karma.editions import Rules, edition
from karma.events import Event, from_log
from karma.moves import BY_TEXT, InvalidMove, Move, from_words
from karma.packing import CALLS, new_states, pack_deck
from karma.refusals import IllegalMove, why_not
from karma.view import PHASES, View, must_play_of


class Outcome(NamedTuple):
    """How a game ended: who lost (None if it stalled), and who went out in which order."""

    loser: int | None
    places: tuple[int, ...]


class Game:
    """A game: its rules, its players, its deck, and the moves made so far.

    >>> from karma import MINI, Game
    >>> game = Game(MINI, players=["Ana", "Bo"], seed=7)
    >>> game.phase, game.actor
    ('choose', 0)
    >>> game.push("^12")
    [Chose(seat=0)]
    """

    def __init__(
        self,
        rules: Rules | str,
        players: int | Sequence[str] = 2,
        *,
        seed: int | np.random.Generator | None = None,
        deck: Sequence[str] | None = None,
        dealer: int | None = None,
    ) -> None:
        rules = rules_of(rules)
        names = names_of(players)
        rules.check_players(len(names))
        if deck is not None and seed is not None:
            raise ValueError("a game is dealt by a seed or by a deck, not by both")
        if dealer is None:
            dealer = len(names) - 1
        if not 0 <= dealer < len(names):
            raise ValueError(f"the dealer's seat is {dealer}; seats are 0 to {len(names) - 1}")
        self.seed: int | None = None
        if deck is None:
            self.seed = seed_of(seed)
            deck = shuffled(rules, self.seed)
        else:
            check_deck(rules, deck)
        self.rules = rules
        self.players = names
        self.dealer = dealer
        self.deck = tuple(deck)
        self.moves: list[Move] = []
        self._packed = rules.packed
        self._state = new_states(rules)
        self._size: int = self._state.itemsize  # by which `CALLS` knows its layout
        self._log = new_log()
        pack_deck(self.deck, self._state)
        self._legal: tuple[int, int] | None = start(self._packed, self._state, len(names), dealer)
        self._dealt = self._state.tobytes()  # where `pop` begins again

    # ---- whose turn -----------------------------------------------------------------------------

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.moves)

    @property
    def phase(self) -> str:
        """What is decided now: choose, play, give, draw; or over."""
        return PHASES[self._state["phase"][0]]

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return bool(self._state["phase"].item() == layout.OVER)

    @property
    def actor(self) -> int | None:
        """The seat that decides; None when the game is over."""
        return None if self.over else int(self._state["actor"].item())

    @property
    def legal(self) -> tuple[Move, ...]:
        """The actor's legal moves, in the order of their numbers."""
        if self._legal is None:
            self._legal = legal_moves(self._packed, self._state)
        return from_words(*self._legal)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return Outcome(self._loser, self.places) if self.over else None

    @property
    def places(self) -> tuple[int, ...]:
        """The seats that are out, in the order they went out."""
        return tuple(self._state["places"][0, : self._state["out"][0]].tolist())

    # ---- moving ---------------------------------------------------------------------------------

    def push(self, move: Move | str) -> list[Event]:
        """Makes a move, and returns what happened; a wrong one is refused and says why."""
        if not isinstance(move, Move):
            move = Move(move)
        legal = CALLS[self._size].step(self._packed, self._state, move.number, self._log)
        if legal[0] == REFUSED:
            raise self._refused(move)
        self._legal = legal
        self.moves.append(move)
        return from_log(self._log)

    def push_all(self, moves: Iterable[Move | str]) -> None:
        """Makes moves one after another, many times quicker than `push`, and tells no events.

        At a wrong one it stops, with the moves before it made, and says why.
        """
        known: list[Move] = []
        wrong: InvalidMove | None = None
        for move in moves:
            try:
                if isinstance(move, str) and move in BY_TEXT:  # quicker than making one
                    known.append(BY_TEXT[move])
                else:
                    known.append(move if isinstance(move, Move) else Move(move))
            except InvalidMove as error:
                wrong = error
                break
        made = play_moves(self._packed, self._state, _numbers(known))
        self.moves += known[:made]
        self._legal = None
        if made < len(known):
            raise self._refused(known[made])
        if wrong is not None:
            raise wrong

    def pop(self) -> Move:
        """Takes the last move back, and returns it."""
        if not self.moves:
            raise IndexError("no move has been made that could be taken back")
        last = self.moves.pop()
        self._state = _restored(self._dealt, self._state.dtype)
        play_moves(self._packed, self._state, _numbers(self.moves))
        self._legal = None
        return last

    def _refused(self, move: Move) -> IllegalMove:
        why = why_not(self.view(self.actor), move)
        return IllegalMove(why.code, move=str(move), **why.parameters)

    # ---- looking --------------------------------------------------------------------------------

    def view(self, seat: int | None) -> View:
        """What a seat knows; None is the audience."""
        if seat is not None and not 0 <= seat < len(self.players):
            raise ValueError(f"there is no seat {seat}; seats are 0 to {len(self.players) - 1}")
        record, viewer = new_view(), layout.NOBODY if seat is None else seat
        CALLS[self._size].look(self._packed, self._state, viewer, record)
        return View(record, self.rules, self.players)

    def position(self) -> dict[str, Any]:
        """Everything, hidden cards too, as the records page writes it: for finished games."""
        seats = range(len(self.players))
        state = self._state
        top, bottom = int(state["pile_top"][0]), int(state["pile_bottom"][0])
        drawn, size = int(state["drawn"][0]), int(state["deck_size"][0])
        return {
            "ply": self.ply,
            "phase": self.phase,
            "actor": self.actor,
            "legal": sorted(map(str, self.legal)),
            "hands": [_cards(state["hand"][0, seat]) for seat in seats],
            "face_up": [_cards(state["face_up"][0, seat]) for seat in seats],
            "face_down": [self._face_down(seat) for seat in seats],
            "pile": [KINDS[kind] for kind in state["pile"][0, bottom:top].tolist()],
            "draw_pile": [_kind(card) for card in state["deck"][0, drawn:size].tolist()],
            "removed": _cards(state["removed"][0]),
            "must_play": must_play_of(self.phase, int(state["must_play"][0])),
            "quiet": int(state["quiet"][0]),
            "places": list(self.places),
            "loser": self._loser,
        }

    def _face_down(self, seat: int) -> list[str | None]:
        covered = int(self._state["covered"][0, seat])
        cards = self._state["face_down"][0, seat].tolist()
        return [_kind(card) if covered >> place & 1 else None for place, card in enumerate(cards)]

    @property
    def _loser(self) -> int | None:
        loser = int(self._state["loser"][0])
        return None if loser == layout.NOBODY else loser

    # ---- as a value -----------------------------------------------------------------------------

    def copy(self) -> Game:
        """The same game, to go on with on its own."""
        game = Game.__new__(Game)
        game.__dict__.update(self.__dict__)
        game._state = _restored(self._state.tobytes(), self._state.dtype)
        game._log = new_log()
        game.moves = list(self.moves)
        return game

    __copy__ = copy

    def _identity(self) -> tuple[Any, ...]:
        return self.rules, self.players, self.dealer, self.deck, self.moves

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._identity() == other._identity()

    __hash__ = None  # type: ignore[assignment]  # a game changes

    def __repr__(self) -> str:
        who = self.phase if self.actor is None else f"{self.phase} by {self.players[self.actor]}"
        return f"<Game of {self.rules}, {len(self.players)} players, ply {self.ply}, {who}>"

    def __str__(self) -> str:
        return str(self.view(None))


def rules_of(rules: Rules | str) -> Rules:
    """The rules themselves, or an edition by its name."""
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, str):
        return edition(rules)
    raise TypeError(f"rules cannot be {rules!r}; they can be karma.MINI, 'mini', and so on")


def names_of(players: int | Sequence[str]) -> tuple[str, ...]:
    """The players' names; of so many players, their seats."""
    if isinstance(players, str):
        raise TypeError(f"players cannot be {players!r}; they can be 2, or [{players!r}, 'Bo']")
    if isinstance(players, Sequence):
        if not all(isinstance(name, str) for name in players):
            raise TypeError(f"players cannot be {players!r}; names are texts")
        return tuple(players)
    try:
        return tuple(f"seat {seat}" for seat in range(index(players)))
    except TypeError:
        raise TypeError(f"players cannot be {players!r}; they can be 2, or ['Ana', 'Bo']") from None


def seed_of(seed: int | np.random.Generator | None) -> int:
    """A seed as a whole number: the one given, the generator's next, or a fresh one."""
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(2**63))
    try:
        seed = index(seed)
    except TypeError:
        raise TypeError(f"the seed cannot be {seed!r}; it is a number or a generator") from None
    if seed < 0:
        raise ValueError(f"the seed is {seed}; it has to be 0 or more")
    return seed


def shuffled(rules: Rules, seed: int) -> tuple[str, ...]:
    """The deck of these rules in a random order, the same for the same seed."""
    deck = rules.full_deck
    return tuple(deck[i] for i in np.random.default_rng(seed).permutation(len(deck)))


def check_deck(rules: Rules, deck: Sequence[str]) -> None:
    """Refuses a deck that does not have exactly the cards of these rules."""
    for kind in deck:
        number_of(kind)
    wanted = rules.full_deck
    if Counter(deck) == Counter(wanted):
        return
    if len(deck) != len(wanted):
        raise ValueError(f"the deck has {len(deck)} cards; {rules} has {len(wanted)}")
    for kind in KINDS:
        if deck.count(kind) != wanted.count(kind):
            raise ValueError(
                f"the deck has {deck.count(kind)} × {kind}; {rules} has {wanted.count(kind)}"
            )


def _restored(state: bytes, dtype: Any) -> Any:
    """A state from its bytes: many times quicker than copying the record field by field."""
    return np.frombuffer(bytearray(state), dtype)


def _numbers(moves: Sequence[Move]) -> Any:
    return np.array([move.number for move in moves], np.int64)


def _kind(card: int) -> str:
    return KINDS[(card & 63) // 3]


def _cards(zone: Any) -> list[str]:
    cards = []
    for word in zone.tolist():
        while word:
            lowest = word & -word
            cards.append(KINDS[(lowest.bit_length() - 1) // 3])
            word ^= lowest
    return by_kind(cards)

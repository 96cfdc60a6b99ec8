"""View: what one seat knows. All that a bot, a screen, a socket or a learner is ever given."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

import msgspec

from karma.cards import KINDS, from_counts, number_of
from karma.core import in_a_row, layout, new_view
from karma.editions import TO_CHOOSE, Rules, edition
from karma.moves import Move, from_words

PHASES = ("choose", "play", "give", "draw", "over")
SOURCES = (None, "hand", "face_up", "face_down")
PLACES = tuple(tuple(bool(bits >> place & 1) for place in range(3)) for bits in range(8))
"""Whether a face-down card lies at each place, by the bits of those that do."""
MustPlay = dict[str, int] | Literal["table-card"] | None
TABLE_CARD: Literal["table-card"] = "table-card"


class Run(msgspec.Struct, frozen=True):
    """The cards of one kind played in a row onto the present pile."""

    kind: str
    length: int


class View:
    """What a seat knows; the audience's view has no seat, no hand and no legal moves.

    >>> import karma
    >>> view = karma.Game(karma.MINI, players=2, seed=7).view(0)
    >>> view.phase, view.hand
    ('choose', ('5', '7', '8', '10', '12', 'G'))
    """

    def __init__(self, record: Any, rules: Rules, players: tuple[str, ...]) -> None:
        self.record = record  # a VIEW array of one: what compiled bots take
        self.rules = rules
        self.players = players

    # ---- the table ------------------------------------------------------------------------------

    @property
    def seat(self) -> int | None:
        """Whose view this is; None for the audience."""
        return _seat(self._field("seat"))

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return self._field("ply")

    @property
    def dealer(self) -> int:
        """The seat that dealt; the one after it goes first."""
        return self._field("dealer")

    @property
    def phase(self) -> str:
        """What is decided now: choose, play, give, draw; or over."""
        return PHASES[self._field("phase")]

    @property
    def actor(self) -> int | None:
        """The seat that decides; None when the game is over."""
        return _seat(self._field("actor"))

    @cached_property
    def legal(self) -> tuple[Move, ...]:
        """The seat's legal moves, sorted as texts, while it is the actor."""
        return tuple(sorted(from_words(self._field("plays"), self._field("others")), key=str))

    @property
    def must_play(self) -> MustPlay:
        """What the next card has to satisfy; None when nothing is required."""
        return must_play_of(self.phase, self._field("must_play"))

    def fits(self, kind: str) -> bool:
        """Does a card of this kind satisfy what must be played?"""
        return bool(layout.PLAYABLE[self._field("must_play")] >> 3 * number_of(kind) & 1)

    @property
    def to_choose(self) -> int:
        """How many cards more the seat is asked to put face up."""
        if self.seat is None or self.seat != self.actor or self.phase != "choose":
            return 0
        return TO_CHOOSE - len(self.face_up[self.seat])

    @property
    def source(self) -> str | None:
        """Where the actor's play comes from: hand, face_up or face_down; None outside a play."""
        return SOURCES[self._field("source")]

    @property
    def run(self) -> Run | None:
        """The identical cards played in a row onto the pile; None when there are none."""
        kind = self._field("run_kind")
        return None if kind == layout.NO_KIND else Run(KINDS[kind], self._field("run_length"))

    @property
    def in_a_row(self) -> Run | None:
        """The identical cards that count towards a set; None where they cannot become one."""
        kind, length = in_a_row(self.rules.packed, self.record)
        return None if kind == layout.NO_KIND else Run(KINDS[kind], length)

    @property
    def quiet(self) -> int:
        """Quiet turns in a row so far: no card was drawn or left the game."""
        return self._field("quiet")

    @property
    def quiet_left(self) -> int | None:
        """How many quiet turns more end the game, once no more than a quarter of them is left."""
        limit = self.rules.stall_limit
        near = self.phase != "over" and 4 * self.quiet >= 3 * limit > 0
        return limit - self.quiet if near else None

    @property
    def places(self) -> tuple[int, ...]:
        """The seats that are out, in the order they went out."""
        return tuple(self.record["places"][0, : self._field("out")].tolist())

    @property
    def loser(self) -> int | None:
        """The seat that lost; None before the end, and when the game stalled."""
        return _seat(self._field("loser"))

    # ---- the cards ------------------------------------------------------------------------------

    @cached_property
    def hand(self) -> tuple[str, ...] | None:
        """The seat's own cards, sorted by kind; None for the audience."""
        if self.seat is None:
            return None
        return from_counts(self.record["hand"].tobytes())

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each hand holds."""
        return tuple(self._by_seat("hand_sizes"))

    @cached_property
    def known(self) -> tuple[tuple[str, ...], ...]:
        """For each seat the cards of its hand that everybody saw going in."""
        return tuple(self._cards_by_seat("known"))

    @cached_property
    def face_up(self) -> tuple[tuple[str | None, ...], ...]:
        """For each seat its face-up cards; None for one that is chosen but not shown yet."""
        return tuple(
            cards + (None,) * hidden
            for cards, hidden in zip(
                self._cards_by_seat("face_up"), self._by_seat("hidden_face_up"), strict=True
            )
        )

    @property
    def face_down(self) -> tuple[tuple[bool, ...], ...]:
        """For each seat and place: is there a face-down card?"""
        return tuple(PLACES[covered] for covered in self._by_seat("covered"))

    @property
    def pile(self) -> tuple[str, ...]:
        """The pile, its bottom card first."""
        return tuple(KINDS[k] for k in self.record["pile"][0, : self._field("pile_size")].tolist())

    @property
    def draw_pile(self) -> int:
        """How many cards are left to be drawn."""
        return self._field("draw_pile")

    @cached_property
    def removed(self) -> tuple[str, ...]:
        """The cards that left the game, sorted by kind."""
        return from_counts(self.record["removed"].tobytes())

    # ---- as data --------------------------------------------------------------------------------

    @property
    def packed_rules(self) -> Any:
        """The RULES record that kernels take beside this view's."""
        return self.rules.packed

    def json(self) -> dict[str, Any]:
        """The view as the records page writes it."""
        run = self.run
        return {
            "seat": self.seat,
            "ply": self.ply,
            "edition": self.rules.edition,
            "rules": self.rules.overrides,
            "players": list(self.players),
            "dealer": self.dealer,
            "phase": self.phase,
            "actor": self.actor,
            "legal": [str(move) for move in self.legal],
            "hand": None if self.hand is None else list(self.hand),
            "hand_sizes": list(self.hand_sizes),
            "known": [list(cards) for cards in self.known],
            "face_up": [list(cards) for cards in self.face_up],
            "face_down": [list(places) for places in self.face_down],
            "pile": list(self.pile),
            "draw_pile": self.draw_pile,
            "removed": list(self.removed),
            "run": None if run is None else msgspec.to_builtins(run),
            "source": self.source,
            "must_play": self.must_play,
            "quiet": self.quiet,
            "places": list(self.places),
            "loser": self.loser,
        }

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> View:
        """A view from its JSON, of which nothing is lost: it equals the view that wrote it."""
        try:
            return cls._parsed(data)
        except KeyError as error:
            raise ValueError(f"not a view: it has no {error}") from None
        except (AttributeError, IndexError, OverflowError, TypeError, ValueError) as error:
            raise ValueError(f"not a view: {error}") from None

    @classmethod
    def _parsed(cls, data: Mapping[str, Any]) -> View:
        rules = edition(data["edition"], **data["rules"])
        record = new_view()
        view = record[0]
        seats = len(data["players"])
        for name in ("seat", "actor", "loser"):
            view[name] = layout.NOBODY if data[name] is None else data[name]
        view["phase"] = _place(PHASES, data, "phase")
        view["seats"] = seats
        for name in ("dealer", "ply", "quiet", "draw_pile"):
            view[name] = data[name]
        for text in data["legal"]:
            number = Move(text).number
            if number < layout.PICK_UP:
                view["plays"] |= 1 << number
            else:
                view["others"] |= 1 << number - layout.PICK_UP
        pile = [number_of(kind) for kind in data["pile"]]
        view["pile_size"] = len(pile)
        view["pile"][: len(pile)] = pile
        view["source"] = _place(SOURCES, data, "source")
        view["must_play"] = _must_play_number(data["must_play"])
        run = data["run"]
        view["run_kind"] = layout.NO_KIND if run is None else number_of(run["kind"])
        view["run_length"] = 0 if run is None else run["length"]
        _count(data["hand"] or (), view["hand"])
        _count(data["removed"], view["removed"])
        view["hand_sizes"][:seats] = data["hand_sizes"]
        for seat in range(seats):
            _count(data["known"][seat], view["known"][seat])
            _count([c for c in data["face_up"][seat] if c is not None], view["face_up"][seat])
            view["hidden_face_up"][seat] = sum(card is None for card in data["face_up"][seat])
            view["covered"][seat] = sum(
                there << place for place, there in enumerate(data["face_down"][seat])
            )
        view["out"] = len(data["places"])
        view["places"][: len(data["places"])] = data["places"]
        view["holders"] = (1 << seats) - 1 & ~sum(1 << seat for seat in data["places"])
        return cls(record, rules, tuple(data["players"]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        seat = "the audience" if self.seat is None else f"seat {self.seat}"
        return f"<View of {seat}, {self.rules}, ply {self.ply}, {self.phase}>"

    def __str__(self) -> str:
        from karma.text import view_text

        return view_text(self)

    def _identity(self) -> tuple[Any, ...]:
        return self.record.tobytes(), self.rules, self.players

    def _field(self, name: str) -> int:
        return int(self.record[name].item())

    def _by_seat(self, name: str) -> list[int]:
        return self.record[name][0, : len(self.players)].tolist()  # type: ignore[no-any-return]

    def _cards_by_seat(self, name: str) -> list[tuple[str, ...]]:
        rows = self.record[name].tobytes()
        starts = range(0, len(self.players) * len(KINDS), len(KINDS))
        return [from_counts(rows[start : start + len(KINDS)]) for start in starts]


def must_play_of(phase: str, number: int) -> MustPlay:
    """What must be played, as the records page writes it."""
    if phase not in ("play", "draw") or number == layout.NOTHING:
        return None
    if number == layout.TABLE_CARD:
        return TABLE_CARD
    return {"at_most": 5} if number == layout.FIVE_OR_LOWER else {"at_least": number}


def _must_play_number(must_play: Any) -> int:
    if must_play is None:
        return layout.NOTHING
    if must_play == TABLE_CARD:
        return layout.TABLE_CARD
    return layout.FIVE_OR_LOWER if "at_most" in must_play else int(must_play["at_least"])


def _place(values: tuple[Any, ...], data: Mapping[str, Any], key: str) -> int:
    if data[key] not in values:
        raise ValueError(f"{key} cannot be {data[key]!r}")
    return values.index(data[key])


def _count(cards: Any, counts: Any) -> None:
    for kind in cards:
        counts[number_of(kind)] += 1


def _seat(number: int) -> int | None:
    return None if number == layout.NOBODY else number

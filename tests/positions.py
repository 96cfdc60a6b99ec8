"""Positions from text: a game set up in the middle, with any cards anywhere.

    table(MINI, "7 7 B | 3 F | 10 . 12", "4", pile="7 9", draw="5 6")

is a game of mini in which seat 0, whose turn it is, holds 7 7 B in the hand, 3 F face up and two
face-down cards (a dot is an empty place), and seat 1 holds a 4. Unless told otherwise the cards of
the pile were played in that order, one by one, and cards named nowhere have left the game.
"""

from collections import Counter

from karma import CLASSIC, Game
from karma.cards import KINDS, number_of
from karma.core import layout
from karma.view import PHASES

FIVE_OR_LOWER = layout.FIVE_OR_LOWER


def table(
    rules,
    *seats,
    pile="",
    draw="",
    known=(),
    actor=0,
    phase="play",
    must=None,
    run=None,
    out=None,
    quiet=0,
):
    """A game set up in the middle.

    `must` is what is required (a number, FIVE_OR_LOWER, or 0 for nothing) and `run` is a kind and
    a length, where the pile does not say it; `known` are the cards of each hand that everybody saw
    going in; `out` lists the seats that are out, in order.
    """
    pile, draw = pile.split(), draw.split()
    game = Game(rules, len(seats), deck=rules.full_deck)
    state = game._state[0]
    cards = _Cards(rules)
    for name in ("hand", "seen", "face_up", "covered", "pile_cards", "removed"):
        state[name] = 0
    holders = 0
    for seat, text in enumerate(seats):
        hand, face_up, face_down = [*text.split("|"), "", ""][:3]
        seen = Counter(known[seat].split() if known else ())
        for kind in hand.split():
            card = cards.take(kind)
            _add(state["hand"][seat], card)
            if seen[kind]:
                seen[kind] -= 1
                _add(state["seen"][seat], card)
        assert not seen.total(), "a known card is not in the hand"
        for kind in face_up.split():
            _add(state["face_up"][seat], cards.take(kind))
        for place, kind in enumerate(face_down.split()):
            if kind != ".":
                state["covered"][seat] |= 1 << place
                state["face_down"][seat, place] = cards.take(kind)
        if text.replace("|", "").replace(".", "").strip():
            holders |= 1 << seat
    for place, kind in enumerate(pile):
        _add(state["pile_cards"], cards.take(kind))
        state["pile"][place] = number_of(kind)
    state["pile_bottom"], state["pile_top"] = 0, len(pile)
    size = int(state["deck_size"])
    state["drawn"] = size - len(draw)
    state["deck"][size - len(draw) : size] = [cards.take(kind) for kind in draw]
    for card in cards.rest():
        _add(state["removed"], card)
    if must is None:
        must = int(layout.REQUIRES[number_of(pile[-1])]) if pile else 0
    kind, length = run or _on_top(pile)
    state["run_kind"] = layout.NO_KIND if kind is None else number_of(kind)
    state["run_length"] = length
    state["must_play"] = must
    state["phase"] = PHASES.index(phase)
    state["actor"] = actor
    state["quiet"] = quiet
    state["again"] = state["progress"] = 0
    state["holders"] = holders
    if out is None:
        out = [seat for seat in range(len(seats)) if not holders >> seat & 1]
    state["out"] = len(out)
    state["places"][: len(out)] = out
    state["loser"] = layout.NOBODY
    game._legal = None
    game._dealt = game._state.tobytes()
    return game


class _Cards:
    """The cards of a deck that are not laid out yet."""

    def __init__(self, rules):
        self.free = {
            kind: [64 * (copy // 3) + 3 * number + copy % 3 for copy in range(copies)]
            for number, kind in enumerate(KINDS)
            if (copies := rules.full_deck.count(kind))
        }

    def take(self, kind):
        assert self.free[kind], f"there are no more cards {kind} in this deck"
        return self.free[kind].pop(0)

    def rest(self):
        return [card for cards in self.free.values() for card in cards]


def _add(zone, card):
    zone[card // 64] |= 1 << card % 64


def _on_top(pile):
    length = 0
    while length < len(pile) and pile[-1 - length] == pile[-1]:
        length += 1
    return (pile[-1] if pile else None), length


def legal(game):
    """The legal moves as one text, in the order of their numbers."""
    return " ".join(map(str, game.legal))


def play(game, moves):
    """Makes the moves of a text, and returns the events of all."""
    return [event for move in moves.split() for event in game.push(move)]


def hand(game, seat):
    return " ".join(game.position()["hands"][seat])


def face_up(game, seat):
    return " ".join(game.position()["face_up"][seat])


def face_down(game, seat):
    return " ".join(card or "." for card in game.position()["face_down"][seat])


def pile(game):
    return " ".join(game.position()["pile"])


def draw_pile(game):
    return " ".join(game.position()["draw_pile"])


def removed(game):
    """What has left the game, as counts by kind."""
    return Counter(game.position()["removed"])


def left(game, moves):
    """Makes moves, and returns what left the game by them."""
    before = removed(game)
    play(game, moves)
    gone = removed(game)
    gone.subtract(before)
    return " ".join(kind for kind in KINDS for _ in range(gone[kind]))


def required(game):
    """What must be played."""
    return game.position()["must_play"]


def dealt(rules=CLASSIC, players=2, *, top="", dealer=None):
    """A game whose deck begins with these cards; the others follow by kind."""
    top = top.split()
    rest = list(rules.full_deck)
    for kind in top:
        rest.remove(kind)
    return Game(rules, players, deck=top + rest, dealer=dealer)

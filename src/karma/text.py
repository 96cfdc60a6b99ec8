"""The game in words: a view as plain text, events as sentences, moves explained.

For pipes, logs and screen readers: one thing a line, no drawing, no colour. Every function takes
the `Texts` of the language to speak.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from karma.cards import KARMA_CARDS
from karma.events import (
    HAND,
    BroughtUp,
    CameBack,
    Chose,
    CompletedSet,
    Drew,
    Ended,
    Event,
    Gave,
    LeftDraw,
    PickedUp,
    Played,
    Removed,
    Revealed,
    Stalled,
    TurnedOver,
    WentOut,
)
from karma.moves import Move
from karma.refusals import Refusal
from karma.texts import Texts
from karma.view import View

ENGLISH = Texts("en")
_KARMA_KEYS = dict(zip(KARMA_CARDS, ("give", "five", "table", "bottoms"), strict=True))


# ---- cards --------------------------------------------------------------------------------------


def card_text(kind: str, say: Texts = ENGLISH) -> str:
    """The name of a card.

    >>> card_text("7"), card_text("G")
    ('7', 'Give (G)')
    """
    if kind not in _KARMA_KEYS:
        return kind
    return say("card_karma", name=say(f"card_{_KARMA_KEYS[kind]}"), letter=kind)


def cards_text(cards: Sequence[str | None], say: Texts = ENGLISH) -> str:
    """Cards in a short line, identical neighbours counted.

    >>> cards_text(["3", "3", "16", "G"])
    '3x2 16 G'
    """
    if not cards:
        return say("text_none")
    counts = Counter(say("card_hidden") if card is None else card for card in cards)
    return " ".join(card if count == 1 else f"{card}x{count}" for card, count in counts.items())


def count_text(count: int, say: Texts = ENGLISH) -> str:
    """A number of cards, such as ``3 cards``."""
    return say("count_cards", count=count)


# ---- a view -------------------------------------------------------------------------------------


def view_text(view: View, say: Texts = ENGLISH, *, known: bool = True) -> str:
    """All that a seat knows, line by line."""
    lines = [turn_text(view, say), pile_text(view, say), stock_text(view, say)]
    if warning := quiet_text(view, say):
        lines.append(warning)
    lines += [seat_text(view, seat, say, known=known) for seat in range(len(view.players))]
    if view.hand is not None:
        lines.append(hand_text(view, say))
    return "\n".join(lines)


def turn_text(view: View, say: Texts = ENGLISH) -> str:
    """Whose turn it is, and what it asks for."""
    if view.phase == "over":
        if view.loser is None:
            return say("event_ended_without_loser")
        return say("event_ended", **_who(view.loser, view.players, view.seat))
    assert view.actor is not None
    who = _who(view.actor, view.players, view.seat)
    if view.phase == "play":
        return say("text_turn_play", must=must_text(view, say), **who)
    return say(f"text_turn_{view.phase}", **who)


def quiet_text(view: View, say: Texts = ENGLISH) -> str:
    """A warning, some turns before a game that goes round ends without a loser; else nothing."""
    if view.quiet_left is None:
        return ""
    return say("quiet_warning", left=say("quiet_left", count=view.quiet_left))


def must_text(view: View, say: Texts = ENGLISH) -> str:
    """What the next card has to satisfy."""
    match view.must_play:
        case {"at_least": number}:
            return say("must_at_least", number=number)
        case {"at_most": number}:
            return say("must_at_most", number=number)
        case None:
            return say("must_anything")
        case _:
            return say("must_table")


def pile_text(view: View, say: Texts = ENGLISH) -> str:
    """The pile, and how many identical cards lie in a row."""
    if not view.pile:
        return say("text_pile_empty")
    pile = say("text_pile", pile=" ".join(view.pile), cards=count_text(len(view.pile), say))
    if (run := view.in_a_row) is None or run.length < 2:
        return pile
    card = card_text(run.kind, say)
    row = say("text_run", card=card, count=run.length, size=view.rules.set_size)
    return f"{pile} {row}"


def stock_text(view: View, say: Texts = ENGLISH) -> str:
    """How many cards are still to be drawn, and what is out of the game."""
    draw_pile = say("text_draw_pile", cards=count_text(view.draw_pile, say))
    return f"{draw_pile} {say('text_removed', cards=cards_text(view.removed, say))}"


def seat_text(view: View, seat: int, say: Texts = ENGLISH, *, known: bool = True) -> str:
    """What everybody knows of a seat's cards; without `known`, what everybody sees of them."""
    name = say("text_you") if seat == view.seat else view.players[seat]
    if seat in view.places:
        return say("text_seat_out", name=name, place=view.places.index(seat) + 1)
    cards = {
        "name": name,
        "hand": view.hand_sizes[seat],
        "face_up": cards_text(view.face_up[seat], say),
        "face_down": sum(view.face_down[seat]),
    }
    if known and view.known[seat] and seat != view.seat:
        return say("text_seat_known", known=cards_text(view.known[seat], say), **cards)
    return say("text_seat", **cards)


def hand_text(view: View, say: Texts = ENGLISH) -> str:
    """The seat's own hand."""
    if not view.hand:
        return say("text_hand_empty")
    return say("text_hand", hand=cards_text(view.hand, say))


# ---- events -------------------------------------------------------------------------------------


def event_text(
    event: Event, players: Sequence[str], seat: int | None = None, say: Texts = ENGLISH
) -> str:
    """What happened, as a sentence; `seat` is the listener's, who is told "you".

    >>> event_text(PickedUp(0, 9), ["Ana", "Bo"])
    'Ana picks up the pile: 9 cards.'
    >>> event_text(PickedUp(0, 9), ["Ana", "Bo"], seat=0)
    'You pick up the pile: 9 cards.'
    """
    who = {} if (by := getattr(event, "seat", None)) is None else _who(by, players, seat)
    match event:
        case Played(kind=kind, count=count, source=source):
            key = "event_played" if count == 1 else "event_played_several"
            key += "" if source == HAND else "_from_table"
            return say(key, card=card_text(kind, say), cards=count_text(count, say), **who)
        case TurnedOver(kind=kind, fits=fits):
            key = "event_turned_over" if fits else "event_turned_over_misfit"
            return say(key, card=card_text(kind, say), **who)
        case PickedUp(count=0):
            return say("event_picked_up_nothing", **who)
        case PickedUp(count=count):
            return say("event_picked_up", cards=count_text(count, say), **who)
        case Gave(to=to, count=count):
            key = "event_gave_to_you" if to == seat else "event_gave"
            return say(key, to=players[to], cards=count_text(count, say), **who)
        case CompletedSet(kind=kind, count=count):
            return say("event_completed_set", card=card_text(kind, say), count=count, **who)
        case Removed(count=count, kind=None):
            return say("event_removed", cards=count_text(count, say))
        case Removed(count=count, kind=str(kind)):
            cards = count_text(count, say)
            return say("event_removed_kind", cards=cards, card=card_text(kind, say))
        case BroughtUp(kind=kind):
            return say("event_brought_up", card=card_text(kind, say))
        case Drew(count=count):
            return say("event_drew", cards=count_text(count, say), **who)
        case WentOut(place=place):
            return say("event_went_out", place=place, **who)
        case Ended(loser=None):
            return say("event_ended_without_loser")
        case Ended(loser=int(loser)):
            return say("event_ended", **_who(loser, players, seat))
        case Chose() | LeftDraw() | CameBack() | Revealed() | Stalled():
            return say(f"event_{event.__struct_config__.tag}", **who)
    raise TypeError(f"{event!r} is not an event")


def _who(actor: int, players: Sequence[str], listener: int | None) -> dict[str, str]:
    return {"who": "you" if actor == listener else "other", "name": players[actor]}


# ---- moves --------------------------------------------------------------------------------------


def move_text(move: Move, view: View, say: Texts = ENGLISH) -> str:
    """What a move does, in a few words without an end mark."""
    match move.text[0], move.kind:
        case "^", str(kind):
            return say("move_choose", card=card_text(kind, say))
        case _, str(kind):
            key = "move_play" if move.count == 1 else "move_play_several"
            return say(key, card=card_text(kind, say), cards=count_text(move.count, say))
        case "?", _:
            return say("move_turn_over", number=int(move.text[1:]) + 1)
        case ">", _:
            return say("move_give", name=view.players[int(move.text[1:])])
        case "P", _:
            if not view.pile:
                return say("move_pick_up_nothing")
            return say("move_pick_up", cards=count_text(len(view.pile), say))
        case "D", _:
            return say("move_draw")
    return say("move_leave")


def refusal_text(refusal: Refusal, say: Texts = ENGLISH) -> str:
    """Why something asked is not done, as a sentence."""
    return error_text(refusal.code, refusal.parameters, say)


def error_text(code: str, parameters: Mapping[str, object], say: Texts = ENGLISH) -> str:
    """The sentence of a refusal's code, as it came over a wire."""
    values = dict(parameters)
    if isinstance(kind := values.get("kind"), str):
        values["card"] = card_text(kind, say)
    return say(f"error_{code}", **values)

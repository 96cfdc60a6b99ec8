"""The menu of a table on a server: what its people, and its host, can do beside playing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from karma.protocol.state import Seat, TableInfo, You
from karma.table.bots.port import ladder
from karma.table.requests import Request
from karma.table.requests.host import (
    AddBot,
    Close,
    HandOver,
    Kick,
    OfferSeat,
    Pause,
    Remove,
    Resume,
    Rotate,
    SendAway,
    Start,
)
from karma.table.requests.seats import CoverSeat, Leave, StepAway, TakeBack
from karma.table.requests.talk import Mute
from karma.texts import Texts
from karma.tui.mirror import Mirror


class Wish(NamedTuple):
    """A line of the menu: a request to the table, or words or rules to be asked for first."""

    text: str
    action: Request | Literal["write", "rules"]


def wishes(mirror: Mirror, say: Texts, id: str) -> list[Wish]:
    """What can be asked of the table now; whichever is, it is asked with this id."""
    table, you = mirror.table, mirror.you
    if table is None or you is None:
        return []
    found = [Wish(say("tui_menu_write"), "write")] if table.settings.chat else []
    if you.seat is not None and you.seat < len(mirror.seats):
        if you.host:
            found += _hosts(table, mirror.seats, you.seat, say, id)
        found += _own(table, mirror.seats[you.seat], say, id)
    found += _mutes(mirror, you, say, id)
    return [*found, Wish(say("tui_menu_leave"), Leave(id=id))]


def _mutes(mirror: Mirror, you: You, say: Texts, id: str) -> Iterator[Wish]:
    """Whom not to listen to, or again: the people in seats, and who is watching."""
    assert mirror.table is not None

    def wish(who: int | str, name: str) -> Wish:
        muted = who not in mirror.muted
        text = say("tui_menu_mute" if muted else "tui_menu_unmute", name=name)
        seat, spectator = (who, None) if isinstance(who, int) else (None, who)
        return Wish(text, Mute(id=id, seat=seat, name=spectator, muted=muted))

    for seat in mirror.seats:
        if seat.bot is None and seat.seat != you.seat:
            yield wish(seat.seat, seat.name)
    for name in mirror.table.watching:
        if you.seat is not None or name != you.name:
            yield wish(name, name)


def _own(table: TableInfo, seat: Seat, say: Texts, id: str) -> Iterator[Wish]:
    if seat.covered is not None:
        yield Wish(say("tui_menu_take_back"), TakeBack(id=id))
    elif table.phase in ("deal", "playing"):
        yield Wish(say("step_away"), StepAway(id=id))


def _hosts(table: TableInfo, seats: list[Seat], own: int, say: Texts, id: str) -> Iterator[Wish]:
    between = table.phase in ("lobby", "over")
    if between:
        yield Wish(say("deal"), Start(id=id))
        yield Wish(say("tui_menu_rules"), "rules")
    if between and len(seats) < table.most_players:
        for level in ladder():
            yield Wish(say("tui_menu_add_bot", level=level), AddBot(id=id, level=level))
    if table.paused:
        yield Wish(say("tui_menu_resume"), Resume(id=id))
    elif table.phase == "playing":
        yield Wish(say("pause"), Pause(id=id))
    for seat in seats:
        yield from _takeover(table, seat, say, id)
        if seat.bot is not None:
            if between:
                remove = Remove(id=id, seat=seat.seat)
                yield Wish(say("tui_menu_remove", name=seat.name), remove)
        elif seat.seat != own:
            yield from _about(table, seat, say, id)
    for name in table.watching:
        yield Wish(say("tui_menu_send_away", name=name), SendAway(id=id, name=name))
    yield Wish(say("new_invitation"), Rotate(id=id))
    yield Wish(say("close_table"), Close(id=id))


def _takeover(table: TableInfo, seat: Seat, say: Texts, id: str) -> Iterator[Wish]:
    """Whether somebody who joins may have this seat in the running game."""
    free = seat.bot is not None or seat.covered == "left"
    if not free or table.settings.rated or table.phase not in ("deal", "playing"):
        return
    text = say("tui_menu_withdraw" if seat.offered else "tui_menu_offer", name=seat.name)
    yield Wish(text, OfferSeat(id=id, seat=seat.seat, offered=not seat.offered))


def _about(table: TableInfo, seat: Seat, say: Texts, id: str) -> Iterator[Wish]:
    if table.phase in ("deal", "playing") and not seat.connected and seat.covered is None:
        yield Wish(say("tui_menu_cover", name=seat.name), CoverSeat(id=id, seat=seat.seat))
    yield Wish(say("tui_menu_hand_over", name=seat.name), HandOver(id=id, seat=seat.seat))
    yield Wish(say("tui_menu_kick", name=seat.name), Kick(id=id, seat=seat.seat))

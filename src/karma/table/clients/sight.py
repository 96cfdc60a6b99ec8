"""Sight: a table as its people may see it, in the words of the protocol.

Everything here is built up from what may be known; nothing is taken whole and struck out.
"""

from collections.abc import Collection, Iterable
from functools import lru_cache

import msgspec

from karma.editions import LEAST_PLAYERS, OPTIONS, Rules
from karma.protocol.state import Counts, Portrait, Score, Seat, TableInfo, ViewData, You
from karma.table.characters import characters, level_of
from karma.table.clients.client import Client
from karma.table.clients.presence import Presence
from karma.table.deadlines import Terms, coverable_at, move_due
from karma.table.log.state import Chair, TableState
from karma.view import View

Shown = dict[int | None, ViewData | None]


def show_view(state: TableState, seat: int | None) -> ViewData | None:
    """A seat's view; None before the first deal."""
    view = state.view(seat)
    return None if view is None else ViewData(**view.json() | {"run": view.run})


def show_counts(state: TableState, seat: int | None) -> Counts | None:
    """What the rules count for a seat's view; the same for every seat, but while they choose."""
    view = state.view(seat)
    return None if view is None else view_counts(view)


def view_counts(view: View) -> Counts:
    """What the rules count for a view."""
    run = view.in_a_row
    return Counts(
        to_choose=view.to_choose,
        most_at_once=view.rules.most_at_once,
        in_a_row=None if run is None else run.length,
        makes_set=view.rules.set_size,
        quiet_left=view.quiet_left,
    )


def show_views(state: TableState, seats: Iterable[int | None]) -> Shown:
    """The views of several seats; what is public in them is written once.

    Outside choosing, two views of a moment differ in the seat, its hand and its legal moves only.
    """
    wanted = set(seats)
    if state.game is None:
        return dict.fromkeys(wanted)
    if state.choosing is not None:
        return {seat: show_view(state, seat) for seat in wanted}
    public = show_view(state, None)
    assert public is not None
    views: Shown = {None: public}
    for seat in wanted - {None}:
        view = state.view(seat)
        assert view is not None
        legal = [str(move) for move in view.legal] if seat == public.actor else []
        hand = list(view.hand or ())
        views[seat] = msgspec.structs.replace(public, seat=seat, hand=hand, legal=legal)
    return views


def show_table(state: TableState, watching: list[str]) -> TableInfo:
    """The table but for the cards."""
    rules = state.rules
    return TableInfo(
        table=state.id,
        phase=state.phase,
        paused=state.paused,
        game=state.number,
        settings=state.settings,
        rules=_values(rules),
        least_players=LEAST_PLAYERS,
        most_players=rules.most_players,
        move_seconds=state.move_seconds,
        dealer=state.dealer if state.game is not None else None,
        score=[
            Score(name=t.name, seat=_seat_of(state, key), played=t.played, lost=t.lost)
            for key, t in state.tallies.items()
        ],
        fair=state.deal.info() if state.deal is not None else None,
        practice=state.practice,
        hints=against_bots(state),
        spectators=len(watching),
        watching=watching,
        given_up=state.given_up,
    )


@lru_cache
def _values(rules: Rules) -> dict[str, bool | int | str]:
    return {name: getattr(rules, name) for name in OPTIONS}


def _seat_of(state: TableState, key: str) -> int | None:
    for seat, chair in enumerate(state.chairs):
        if key == (chair.player or f"bot {chair.name}"):
            return seat
    return None


def against_bots(state: TableState) -> bool:
    """Does one person play against bots, so that hints and taking back hurt nobody?"""
    return len(state.people) == 1 and not state.settings.rated


def show_seats(
    state: TableState, presence: Presence, terms: Terms, preparing: Collection[str]
) -> list[Seat]:
    """Every seat, who is there, and how long the table waits for whom."""
    asked = set(state.asked())
    deadline: int | None = None
    remaining: int | None = None
    if state.move_seconds is not None:
        ends = presence.asked_at(state) + state.move_seconds * 1000
        if state.paused_at is None:
            deadline = ends
        else:
            remaining = max(0, ends - state.paused_at)

    def due(seat: int) -> int | None:
        if seat not in asked or state.paused:
            return None
        return deadline if deadline is not None else move_due(state, seat, presence, terms)

    faces = characters([_own_level(chair) for chair in state.chairs])
    seats: list[Seat] = []
    for seat, chair in enumerate(state.chairs):
        here = chair.player is None or chair.player in presence
        away = None if here or chair.player is None else presence.away_since(chair.player)
        seats.append(
            Seat(
                seat=seat,
                name=chair.name,
                portrait=(chair.player and chair.portrait) or _face(faces[seat]),
                bot=chair.bot,
                host=chair.player is not None and chair.player == state.host,
                connected=here,
                away_since=away,
                covered=chair.covered,
                failed=chair.failed,
                preparing=chair.bot in preparing,
                chosen=state.choosing is not None and state.choosing.chosen(seat),
                coverable=None if away is None else coverable_at(state, away),
                deadline=due(seat),
                remaining=remaining if seat in asked else None,
                rematch=chair.rematch,
                offered=chair.offered,
            )
        )
    return seats


@lru_cache
def _face(number: int | None) -> Portrait:
    return Portrait(face=number)


def _own_level(chair: Chair) -> str | None:
    """The level of a bot that plays under its own name: not in the seat of who was sent away."""
    return chair.bot if chair.bot is not None and level_of(chair.name) == chair.bot else None


def show_you(state: TableState, client: Client, seat: int | None) -> You:
    """What a client's player is to the table."""
    seated = seat is not None
    return You(
        player=client.player,
        name=_name_of(state, client) if seat is None else state.chairs[seat].name,
        seat=seat,
        host=seated and client.player == state.host,
        invite=state.invite if seated else None,
    )


def _name_of(state: TableState, client: Client) -> str:
    """The name of who has no seat."""
    return state.spectators.get(client.player, client.name)

"""Seats: who may sit down, step away, come back, and leave."""

import hmac
import re
from collections.abc import Sequence

from karma.protocol.state import SeatNumber, Settings
from karma.refusals import Refusal
from karma.table import names
from karma.table.deadlines import coverable_at
from karma.table.log.host import Closed
from karma.table.log.seats import (
    BotSeated,
    Covered,
    Left,
    Opened,
    PlayerJoined,
    Renamed,
    Returned,
    SeatMoved,
    Watching,
)
from karma.table.log.state import Chair, TableState
from karma.table.requests.asker import Asker, Entries, needs_level, needs_rules, new_code
from karma.table.requests.request import Request, SeatRequest


class StepAway(SeatRequest, tag="step_away", frozen=True, kw_only=True):
    """Let a bot cover for you."""

    def handle(self, asker: Asker) -> Entries:
        asker.needs_phase("playing", "deal")
        if asker.chair.covered is not None:
            return []
        return [Covered(seat=asker.seat, why="asked")]


class TakeBack(SeatRequest, tag="take_back", frozen=True, kw_only=True):
    """Take your seat back from the bot that covers for you."""

    def handle(self, asker: Asker) -> Entries:
        if asker.chair.covered is None:
            raise Refusal("not_covered")
        return [Returned(seat=asker.seat)]


class CoverSeat(SeatRequest, tag="cover", frozen=True, kw_only=True):
    """Let a bot cover for a person who is not connected: the host at once, others after a while."""

    seat: SeatNumber

    def handle(self, asker: Asker) -> Entries:
        asker.needs_phase("playing", "deal")
        chair = asker.chair_at(self.seat)
        if chair.player is None:
            raise Refusal("no_such_seat")
        if chair.player in asker.present:
            raise Refusal("not_allowed")
        if asker.player != asker.state.host:
            at = coverable_at(asker.state, asker.away_since(chair.player))
            if at is None:
                raise Refusal("not_host")
            if at > asker.now:
                raise Refusal("still_waiting", seconds=-(-(at - asker.now) // 1000))
        return [] if chair.covered else [Covered(seat=self.seat, why="absent")]


class Leave(Request, tag="leave", frozen=True, kw_only=True):
    """Give up the seat for good; during a game a bot plays on in it."""

    def handle(self, asker: Asker) -> Entries:
        state = asker.state
        if state.phase == "closed":
            raise Refusal("closed")
        seat = state.seat_of(asker.player)
        if seat is None and asker.player not in state.spectators:
            raise Refusal("not_seated")
        if seat is not None and state.chairs[seat].covered == "left":
            return []
        gone: Entries = [Left(player=asker.player)]
        return [*gone, Closed()] if state.people == [seat] else gone


def open_table(
    asker: Asker, name: str, settings: Settings, *, bots: Sequence[str], watch: bool
) -> Entries:
    """A new table with its maker in the first seat, or watching, and bots in the next ones."""
    most = needs_rules(settings).most_players
    if len(bots) + (not watch) > most:
        raise Refusal("table_full", most=most)
    for level in bots:
        needs_level(asker, level)
    invite = new_code(asker.secret)
    new: Entries = [Opened(player=asker.player, name=name, settings=settings, invite=invite)]
    new += [BotSeated(seat=seat, level=bot) for seat, bot in enumerate(bots, start=1)]
    if watch:
        new += [Left(player=asker.player), Watching(player=asker.player, name=name)]
    return new


def join(
    asker: Asker, name: str, *, invite: str | None, seat: int | None, spectate: bool
) -> Entries:
    """Sit down, or watch; a person who has a seat gets it back, under the name they have now."""
    asker.needs_allowance()
    state = asker.state
    if state.phase == "closed":
        raise Refusal("closed")
    if asker.player in state.banned:
        raise Refusal("kicked")
    own = state.seat_of(asker.player)
    if own is not None:
        back: Entries = [] if state.chairs[own].covered is None else [Returned(seat=own)]
        if re.fullmatch(re.escape(name) + r"( \d+)?", state.chairs[own].name):
            return back
        return [*back, Renamed(seat=own, name=free_name(state, name, but=own))]
    if state.settings.privacy == "private" and not _opens(state, invite):
        raise Refusal("wrong_invite")
    if spectate:
        if state.settings.spectators == "none":
            raise Refusal("no_spectators")
        if asker.player in state.spectators:
            return []
        return [Watching(player=asker.player, name=free_name(state, name))]
    free = _free_seat(asker, seat)
    stand_in = state.chairs[free].level if free < len(state.chairs) else None
    own_name = free_name(state, name, but=free, player=asker.player)
    return [PlayerJoined(player=asker.player, name=own_name, seat=free, stand_in=stand_in)]


def free_name(
    state: TableState, name: str, but: int | None = None, player: str | None = None
) -> str:
    """A name that nobody at the table has, nor one that looks the same."""
    others = [chair.name for seat, chair in enumerate(state.chairs) if seat != but]
    others += [other for key, other in state.spectators.items() if key != player]
    taken = set(map(names.skeleton, others))
    free, number = name, 2
    while names.skeleton(free) in taken:
        free, number = f"{name} {number}", number + 1
    return free


def _opens(state: TableState, invite: str | None) -> bool:
    given = (invite or "").replace("-", "").upper()
    return hmac.compare_digest(given.encode(), state.invite.replace("-", "").encode())


def _free_seat(asker: Asker, seat: int | None) -> int:
    state = asker.state
    if seat is not None:
        chair = asker.chair_at(seat)
        if chair.player is not None and chair.covered != "left":
            raise Refusal("seat_taken")
        if not state.between_games:
            _needs_offer(asker, chair)
        return seat
    if not state.between_games:
        raise Refusal("wrong_phase", phase=state.phase)
    most = needs_rules(state.settings).most_players
    if len(state.chairs) >= most:
        bots = [i for i, chair in enumerate(state.chairs) if chair.player is None]
        if not bots:
            raise Refusal("table_full", most=most)
        return bots[0]
    return len(state.chairs)


def _needs_offer(asker: Asker, chair: Chair) -> None:
    """Refuses whom the running game's seat may not go to: they would see a hand of it."""
    if asker.state.settings.rated or chair.taken_over or asker.player in asker.state.sat:
        raise Refusal("seat_kept")
    if not chair.offered:
        raise Refusal("not_offered")


def move_seat(asker: Asker, seat: int, owner: str) -> Entries:
    """The seat moves to the asker, another device of its person."""
    state = asker.state
    if state.phase == "closed":
        raise Refusal("closed")
    if asker.player in state.banned:
        raise Refusal("kicked")
    if state.seat_of(asker.player) is not None:
        raise Refusal("already_seated", seat=state.seat_of(asker.player))
    if state.seat_of(owner) != seat:
        raise Refusal("code_expired")
    if not state.between_games and state.sat.get(asker.player, seat) != seat:
        raise Refusal("seat_kept")
    return [SeatMoved(seat=seat, player=asker.player)]

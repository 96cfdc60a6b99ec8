"""Seats: the entries of who sits where, who watches, and who plays for whom."""

from karma.protocol.codes import Cover
from karma.protocol.state import Portrait, Settings
from karma.table.log.entry import Entry, Step
from karma.table.log.state import Chair, TableState


class Opened(Entry, tag="opened", frozen=True, kw_only=True):
    """The table was opened by its first host, who sits down."""

    player: str
    name: str
    settings: Settings
    invite: str

    def apply(self, state: TableState, step: Step) -> None:
        state.settings, state.invite = self.settings, self.invite
        state.chairs = [Chair(self.name, player=self.player)]
        state.host = self.player
        step.notice("opened")


class PlayerJoined(Entry, tag="joined", frozen=True, kw_only=True):
    """A person sat down: in a new seat, or in that of a bot or of somebody who left."""

    player: str
    name: str
    seat: int
    stand_in: str | None = None
    """The level of the bot that plays again when they go."""

    def apply(self, state: TableState, step: Step) -> None:
        state.spectators.pop(self.player, None)
        if self.seat == len(state.chairs):
            state.chairs.append(Chair(_free_name(state, self.name)))
            _put_away(state)
        chair = state.chairs[self.seat]
        before = chair.name
        if chair.player != self.player:
            chair.name = _free_name(state, self.name, but=self.seat)
            chair.portrait = None
        chair.player, chair.bot, chair.covered, chair.missed = self.player, None, None, 0
        chair.stand_in = self.stand_in
        if state.host is None:
            state.host = self.player
        if chair.offered:
            chair.offered, chair.taken_over = False, True
            step.notice_of(state, "seat_taken_over", self.seat, before=before)
        else:
            step.notice_of(state, "player_joined", self.seat)
        if not state.between_games:
            state.sat[self.player] = self.seat


class Offered(Entry, tag="offered", frozen=True, kw_only=True):
    """The host lets somebody take a seat over in the running game, or not any more."""

    seat: int
    offered: bool

    def apply(self, state: TableState, step: Step) -> None:
        state.chairs[self.seat].offered = self.offered
        step.notice_of(state, "seat_offered" if self.offered else "seat_withdrawn", self.seat)


class PortraitShown(Entry, tag="portrait_shown", frozen=True, kw_only=True):
    """A person is drawn otherwise from now on."""

    seat: int
    portrait: Portrait

    def apply(self, state: TableState, step: Step) -> None:
        state.chairs[self.seat].portrait = self.portrait


class Renamed(Entry, tag="renamed", frozen=True, kw_only=True):
    """A person came back under another name."""

    seat: int
    name: str

    def apply(self, state: TableState, step: Step) -> None:
        state.chairs[self.seat].name = _free_name(state, self.name, but=self.seat)
        if state.game is not None:
            state.game.players = tuple(chair.name for chair in state.chairs)


class Watching(Entry, tag="watching", frozen=True, kw_only=True):
    """Somebody watches."""

    player: str
    name: str

    def apply(self, state: TableState, step: Step) -> None:
        state.spectators[self.player] = self.name


class Left(Entry, tag="left", frozen=True, kw_only=True):
    """Somebody went away; during a game a bot plays on in the seat."""

    player: str

    def apply(self, state: TableState, step: Step) -> None:
        seat = state.seat_of(self.player)
        if seat is None:
            state.spectators.pop(self.player, None)
            return
        step.notice_of(state, "player_left", seat)
        if state.between_games:
            _remove(state, seat)
        else:
            state.chairs[seat].covered = "left"
        _find_host(state, step)


class Kicked(Entry, tag="kicked", frozen=True, kw_only=True):
    """The host sent somebody away for good."""

    seat: int

    def apply(self, state: TableState, step: Step) -> None:
        chair = state.chairs[self.seat]
        assert chair.player is not None
        state.banned.add(chair.player)
        step.notice_of(state, "player_kicked", self.seat)
        if state.between_games:
            _remove(state, self.seat)
        else:
            chair.player, chair.covered, chair.bot = None, None, chair.level
        _find_host(state, step)


class SentAway(Entry, tag="sent_away", frozen=True, kw_only=True):
    """The host sent a spectator away for good."""

    player: str

    def apply(self, state: TableState, step: Step) -> None:
        state.banned.add(self.player)
        step.notice("spectator_sent_away", name=state.spectators.pop(self.player))


class BotSeated(Entry, tag="bot_seated", frozen=True, kw_only=True):
    """A bot got a seat, or a seat's bot another level."""

    seat: int
    level: str

    def apply(self, state: TableState, step: Step) -> None:
        if self.seat == len(state.chairs):
            state.chairs.append(Chair(""))
            _put_away(state)
        chair = state.chairs[self.seat]
        chair.name = _free_name(state, self.level, but=self.seat)
        chair.bot = self.level
        step.notice_of(state, "bot_added", self.seat, level=self.level)


class SeatRemoved(Entry, tag="seat_removed", frozen=True, kw_only=True):
    """A seat was taken away; those after it move up."""

    seat: int

    def apply(self, state: TableState, step: Step) -> None:
        step.notice_of(state, "seat_removed", self.seat)
        _remove(state, self.seat)


class SeatMoved(Entry, tag="seat_moved", frozen=True, kw_only=True):
    """A seat moved to another device, which is another player to the server."""

    seat: int
    player: str

    def apply(self, state: TableState, step: Step) -> None:
        chair = state.chairs[self.seat]
        old, chair.player = chair.player, self.player
        if state.host == old:
            state.host = self.player
        state.spectators.pop(self.player, None)
        if not state.between_games:
            state.sat[self.player] = self.seat
        if old in state.tallies:
            state.tallies[self.player] = state.tallies.pop(old)
        step.notice_of(state, "seat_moved", self.seat)


class Covered(Entry, tag="covered", frozen=True, kw_only=True):
    """A bot covers for a person."""

    seat: int
    why: Cover

    def apply(self, state: TableState, step: Step) -> None:
        state.chairs[self.seat].covered = self.why
        step.notice_of(state, "player_covered", self.seat, why=self.why)


class Returned(Entry, tag="returned", frozen=True, kw_only=True):
    """A covered person has the seat back."""

    seat: int

    def apply(self, state: TableState, step: Step) -> None:
        chair = state.chairs[self.seat]
        chair.covered, chair.missed, chair.offered = None, 0, False
        step.notice_of(state, "player_returned", self.seat)


def _remove(state: TableState, seat: int) -> None:
    del state.chairs[seat]
    if state.dealer is not None and seat <= state.dealer:
        state.dealer -= 1
    _put_away(state)


def _put_away(state: TableState) -> None:
    """A finished game is put away once the table's seats are not the game's any more."""
    if state.phase == "over":
        state.game = None
        state.phase = "lobby"


def _find_host(state: TableState, step: Step) -> None:
    """The host's place goes to the next person when the host is gone."""
    seat = state.seat_of(state.host) if state.host is not None else None
    if seat is not None and seat in state.people:
        return
    people = state.people
    state.host = state.chairs[people[0]].player if people else None
    if people:
        step.notice_of(state, "host_changed", people[0])


def _free_name(state: TableState, name: str, but: int | None = None) -> str:
    taken = {chair.name for seat, chair in enumerate(state.chairs) if seat != but}
    free, number = name, 2
    while free in taken:
        free, number = f"{name} {number}", number + 1
    return free

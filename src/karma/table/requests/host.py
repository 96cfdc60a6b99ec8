"""Host: what only a table's host may ask of it."""

from typing import Annotated, ClassVar

from msgspec import Meta

from karma.protocol.state import Name, SeatNumber, Settings
from karma.refusals import Refusal
from karma.table.log.host import Changed, Closed, HandedOver, Paused, Resumed, Rotated
from karma.table.log.seats import BotSeated, Kicked, Offered, SeatRemoved, SentAway
from karma.table.requests.asker import (
    Asker,
    Entries,
    needs_level,
    needs_room_for_bots,
    needs_rules,
    new_code,
)
from karma.table.requests.game import shuffle
from karma.table.requests.request import HostRequest

_FIXED_DURING_A_GAME = ("edition", "rules", "clock", "days", "rated")


class Start(HostRequest, tag="start", frozen=True, kw_only=True):
    """Begin the game, or the next one."""

    begins: ClassVar[bool] = True

    def handle(self, asker: Asker) -> Entries:
        asker.needs_phase("lobby", "over")
        return shuffle(asker)


class AddBot(HostRequest, tag="add_bot", frozen=True, kw_only=True):
    """Seat a bot of a level (in the next seat), or change a bot's level."""

    level: Annotated[str, Meta(min_length=1, max_length=32)]
    seat: SeatNumber | None = None

    def handle(self, asker: Asker) -> Entries:
        needs_level(asker, self.level)
        needs_room_for_bots(asker)
        state = asker.state
        if self.seat is not None:
            if asker.chair_at(self.seat).player is not None:
                raise Refusal("seat_taken")
            return [BotSeated(seat=self.seat, level=self.level)]
        asker.needs_phase("lobby", "over")
        most = needs_rules(state.settings).most_players
        if len(state.chairs) >= most:
            raise Refusal("table_full", most=most)
        return [BotSeated(seat=len(state.chairs), level=self.level)]


class Remove(HostRequest, tag="remove", frozen=True, kw_only=True):
    """Take a bot's seat away, before a game or between games."""

    seat: SeatNumber

    def handle(self, asker: Asker) -> Entries:
        asker.needs_phase("lobby", "over")
        if asker.chair_at(self.seat).player is not None:
            raise Refusal("seat_taken")
        return [SeatRemoved(seat=self.seat)]


class Kick(HostRequest, tag="kick", frozen=True, kw_only=True):
    """Send a person away for good, and make a new invite; in a game a bot plays on in the seat."""

    seat: SeatNumber

    def handle(self, asker: Asker) -> Entries:
        if asker.chair_at(self.seat).player in (None, asker.player):
            raise Refusal("no_such_seat")
        return [Kicked(seat=self.seat), Rotated(invite=new_code(asker.secret))]


class SendAway(HostRequest, tag="send_away", frozen=True, kw_only=True):
    """Send a spectator away for good, by the name in `table.watching`; the invite is a new one."""

    name: Name

    def handle(self, asker: Asker) -> Entries:
        for player, name in asker.state.spectators.items():
            if name == self.name:
                return [SentAway(player=player), Rotated(invite=new_code(asker.secret))]
        raise Refusal("not_seated")


class OfferSeat(HostRequest, tag="offer", frozen=True, kw_only=True):
    """Let somebody who joins take over the seat of a bot, or of who left, in the running game.

    Not in a rated game, and once a game for each seat.
    """

    seat: SeatNumber
    offered: bool = True

    def handle(self, asker: Asker) -> Entries:
        asker.needs_phase("playing", "deal")
        chair = asker.chair_at(self.seat)
        if chair.player is not None and chair.covered != "left":
            raise Refusal("seat_taken")
        if asker.state.settings.rated or chair.taken_over:
            raise Refusal("seat_kept")
        if chair.offered == self.offered:
            return []
        return [Offered(seat=self.seat, offered=self.offered)]


class Pause(HostRequest, tag="pause", frozen=True, kw_only=True):
    """Stop the clocks and the game."""

    def handle(self, asker: Asker) -> Entries:
        asker.needs_phase("playing")
        if asker.state.paused:
            raise Refusal("paused")
        return [Paused()]


class Resume(HostRequest, tag="resume", frozen=True, kw_only=True):
    """Go on after a pause."""

    def handle(self, asker: Asker) -> Entries:
        if not asker.state.paused:
            raise Refusal("not_paused")
        return [Resumed()]


class Rotate(HostRequest, tag="rotate", frozen=True, kw_only=True):
    """Make a new invite; the old one opens nothing any more."""

    def handle(self, asker: Asker) -> Entries:
        return [Rotated(invite=new_code(asker.secret))]


class HandOver(HostRequest, tag="hand_over", frozen=True, kw_only=True):
    """Make another person the host."""

    seat: SeatNumber

    def handle(self, asker: Asker) -> Entries:
        if asker.chair_at(self.seat).player is None:
            raise Refusal("no_such_seat")
        return [HandedOver(seat=self.seat)]


class Change(HostRequest, tag="change", frozen=True, kw_only=True):
    """Change the settings; edition, house rules and clock only between games."""

    settings: Settings

    def handle(self, asker: Asker) -> Entries:
        state = asker.state
        if state.phase == "closed":
            raise Refusal("closed")
        if not state.between_games:
            for name in _FIXED_DURING_A_GAME:
                if getattr(self.settings, name) != getattr(state.settings, name):
                    raise Refusal("bad_settings", setting=name)
        most = needs_rules(self.settings).most_players
        if len(state.chairs) > most:
            raise Refusal("table_full", most=most)
        return [Changed(settings=self.settings)]


class Close(HostRequest, tag="close", frozen=True, kw_only=True):
    """Give the present game up, if there is one, and close the table."""

    def handle(self, asker: Asker) -> Entries:
        if asker.state.phase == "closed":
            raise Refusal("closed")
        return [Closed()]

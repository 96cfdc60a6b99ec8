"""Host: the entries of what a table's host decides: settings, invite, pauses, the end."""

from karma.protocol.state import Settings
from karma.table.log.entry import Entry, Step
from karma.table.log.games import give_up
from karma.table.log.state import TableState


class Changed(Entry, tag="changed", frozen=True, kw_only=True):
    """The host changed the settings."""

    settings: Settings

    def apply(self, state: TableState, step: Step) -> None:
        state.settings = self.settings
        if self.settings.spectators == "none":
            state.spectators.clear()
        step.notice("settings_changed")


class Rotated(Entry, tag="rotated", frozen=True, kw_only=True):
    """The host made a new invite."""

    invite: str

    def apply(self, state: TableState, step: Step) -> None:
        state.invite = self.invite
        step.notice("invite_rotated")


class HandedOver(Entry, tag="handed_over", frozen=True, kw_only=True):
    """Another person is the host."""

    seat: int

    def apply(self, state: TableState, step: Step) -> None:
        state.host = state.chairs[self.seat].player
        step.notice_of(state, "host_changed", self.seat)


class Paused(Entry, tag="paused", frozen=True, kw_only=True):
    """The game and its clocks stand still."""

    def apply(self, state: TableState, step: Step) -> None:
        state.paused_at = step.at
        step.notice("paused")


class Resumed(Entry, tag="resumed", frozen=True, kw_only=True):
    """They go on."""

    def apply(self, state: TableState, step: Step) -> None:
        assert state.paused_at is not None
        state.asked_at += step.at - state.paused_at
        state.paused_at = None
        step.notice("resumed")


class Closed(Entry, tag="closed", frozen=True, kw_only=True):
    """The table is closed."""

    def apply(self, state: TableState, step: Step) -> None:
        if state.phase in ("deal", "playing"):
            give_up(state, step)
        state.phase = "closed"
        step.notice("table_closed")

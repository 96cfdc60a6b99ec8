"""Hosting: what a table's host asks of it, checked, as the entries that would do it."""

from karma.protocol import messages as asked
from karma.table.log import entries
from karma.table.refusal import Refusal
from karma.table.requests.asker import Asker, Entries, needs_level, needs_rules, new_code


def add_bot(asker: Asker, message: asked.AddBot) -> Entries:
    """A bot in a new seat, or another level for the bot in a seat."""
    asker.needs_host()
    needs_level(asker, message.level)
    state = asker.state
    if message.seat is not None:
        if asker.chair_at(message.seat).player is not None:
            raise Refusal("seat_taken")
        return [entries.BotSeated(seat=message.seat, level=message.level)]
    asker.needs_phase("lobby", "over")
    most = needs_rules(state.settings).most_players
    if len(state.chairs) >= most:
        raise Refusal("table_full", most=most)
    return [entries.BotSeated(seat=len(state.chairs), level=message.level)]


def remove(asker: Asker, message: asked.Remove) -> Entries:
    """A bot's seat is taken away."""
    asker.needs_host()
    asker.needs_phase("lobby", "over")
    if asker.chair_at(message.seat).player is not None:
        raise Refusal("seat_taken")
    return [entries.SeatRemoved(seat=message.seat)]


def kick(asker: Asker, message: asked.Kick) -> Entries:
    """Somebody is sent away."""
    asker.needs_host()
    if asker.chair_at(message.seat).player in (None, asker.player):
        raise Refusal("no_such_seat")
    return [entries.Kicked(seat=message.seat)]


def cover(asker: Asker, message: asked.CoverSeat) -> Entries:
    """A bot covers for somebody who is not there."""
    asker.needs_host()
    asker.needs_phase("playing", "deal")
    chair = asker.chair_at(message.seat)
    if chair.player is None:
        raise Refusal("no_such_seat")
    if chair.player in asker.present:
        raise Refusal("not_allowed")
    return [] if chair.covered else [entries.Covered(seat=message.seat, why="absent")]


def pause(asker: Asker, message: asked.Pause) -> Entries:
    """The game stands still."""
    asker.needs_host()
    asker.needs_phase("playing")
    if asker.state.paused:
        raise Refusal("paused")
    return [entries.Paused()]


def resume(asker: Asker, message: asked.Resume) -> Entries:
    """The game goes on."""
    asker.needs_host()
    if not asker.state.paused:
        raise Refusal("not_paused")
    return [entries.Resumed()]


def rotate(asker: Asker, message: asked.Rotate) -> Entries:
    """A new invite."""
    asker.needs_host()
    return [entries.Rotated(invite=new_code(asker.secret))]


def hand_over(asker: Asker, message: asked.HandOver) -> Entries:
    """Another host."""
    asker.needs_host()
    if asker.chair_at(message.seat).player is None:
        raise Refusal("no_such_seat")
    return [entries.HandedOver(seat=message.seat)]


_FIXED_DURING_A_GAME = ("edition", "rules", "clock", "days", "rated")


def change(asker: Asker, message: asked.Change) -> Entries:
    """Other settings."""
    asker.needs_host()
    state = asker.state
    if state.phase == "closed":
        raise Refusal("closed")
    if not state.between_games:
        for name in _FIXED_DURING_A_GAME:
            if getattr(message.settings, name) != getattr(state.settings, name):
                raise Refusal("bad_settings", setting=name)
    most = needs_rules(message.settings).most_players
    if len(state.chairs) > most:
        raise Refusal("table_full", most=most)
    return [entries.Changed(settings=message.settings)]


def close(asker: Asker, message: asked.Close) -> Entries:
    """The end of the table."""
    asker.needs_host()
    if asker.state.phase == "closed":
        raise Refusal("closed")
    return [entries.Closed()]

"""Asking: what a client asks of a table, checked, as the entries that would do it.

Nothing is changed here: the answer is a list of entries, or a Refusal that says why not.
"""

import hmac
from collections.abc import Callable, Set
from dataclasses import dataclass
from typing import Any

import msgspec

from karma.editions import RulesError
from karma.moves import IllegalMove, InvalidMove, Move
from karma.protocol import messages as asked
from karma.protocol.state import Settings
from karma.table import entries
from karma.table.refusal import Refusal
from karma.table.showing import against_bots
from karma.table.sitting import LEAST_PLAYERS, Chair, Sitting, rules_for

Entries = list[entries.AnyEntry]


@dataclass(frozen=True)
class Asker:
    """Who asks, of which table, and what of the world outside the log matters for the answer."""

    sitting: Sitting
    player: str
    present: Set[str]
    """The players who are connected."""
    levels: tuple[str, ...]
    """The levels of the bots there are."""
    secret: Callable[[int], bytes]
    """Where unguessable bytes come from."""
    ask_seeds: bool = True
    """Whether people are asked for seeds of the fair deal."""

    @property
    def seat(self) -> int:
        """The asker's seat; refused without one."""
        seat = self.sitting.seat_of(self.player)
        if seat is None:
            raise Refusal("not_seated")
        return seat

    @property
    def chair(self) -> Chair:
        return self.sitting.chairs[self.seat]

    def needs_host(self) -> None:
        """Refuses anybody but the host."""
        if self.sitting.seat_of(self.player) is None or self.sitting.host != self.player:
            raise Refusal("not_host")

    def needs_phase(self, *phases: str) -> None:
        """Refuses in other phases of the table."""
        if self.sitting.phase == "closed":
            raise Refusal("closed")
        if self.sitting.phase not in phases:
            raise Refusal("wrong_phase", phase=self.sitting.phase)

    def chair_at(self, seat: int) -> Chair:
        """The chair of a seat; refused if there is none."""
        if seat >= len(self.sitting.chairs):
            raise Refusal("no_such_seat")
        return self.sitting.chairs[seat]


# ---- the game -----------------------------------------------------------------------------------


def act(asker: Asker, message: asked.Act) -> Entries:
    """A move, or up to three while choosing."""
    sitting, seat = asker.sitting, asker.seat
    if message.game != sitting.number:
        raise Refusal("stale_game")
    asker.needs_phase("playing")
    if sitting.paused:
        raise Refusal("paused")
    if asker.chair.covered in ("asked", "left"):
        raise Refusal("not_your_turn", actor=None)
    view = sitting.view(seat)
    assert view is not None
    if message.ply != view.ply:
        raise Refusal("stale_ply")
    if seat not in sitting.asked():
        if sitting.choosing is not None:
            raise Refusal("already_chosen")
        raise Refusal("not_your_turn", actor=view.actor)
    _needs_legal(sitting, seat, message.moves)
    back: Entries = [] if asker.chair.covered is None else [entries.Returned(seat=seat)]
    return [*back, entries.Made(seat=seat, moves=message.moves, by="person")]


def _needs_legal(sitting: Sitting, seat: int, texts: list[str]) -> None:
    """Refuses what the engine would not take."""
    view = sitting.view(seat)
    assert view is not None
    try:
        moves = [Move(text) for text in texts]
        if sitting.choosing is not None:
            sitting.choosing.check(seat, moves)
        elif len(moves) != 1 or moves[0] not in view.legal:
            raise Refusal("illegal_move", move=texts[-1])
    except (InvalidMove, IllegalMove):
        raise Refusal("illegal_move", move=texts[-1]) from None


def undo(asker: Asker, message: asked.Undo) -> Entries:
    """Back to before the asker's last decision."""
    sitting, seat = asker.sitting, asker.seat
    if message.game != sitting.number:
        raise Refusal("stale_game")
    asker.needs_phase("playing")
    if not against_bots(sitting):
        raise Refusal("no_hints")
    if message.ply != sitting.ply:
        raise Refusal("stale_ply")
    if sitting.choosing is not None:
        raise Refusal("wrong_phase", phase=sitting.phase)
    assert sitting.game is not None
    trial = sitting.game.copy()
    while trial.ply:
        trial.pop()
        if trial.phase == "choose":
            break
        if trial.actor == seat:
            return [entries.Undone(ply=trial.ply)]
    raise Refusal("stale_ply")


def commit(asker: Asker, message: asked.Commit) -> Entries:
    """A seat's promise in the fair deal."""
    deal, seat = asker.sitting.deal, asker.seat
    if message.game != asker.sitting.number:
        raise Refusal("stale_game")
    if deal is None or not deal.may_commit(seat):
        raise Refusal("bad_commitment")
    return [entries.Committed(seat=seat, commitment=message.commitment)]


def reveal(asker: Asker, message: asked.Reveal) -> Entries:
    """A seat's seed in the fair deal."""
    deal, seat = asker.sitting.deal, asker.seat
    if message.game != asker.sitting.number:
        raise Refusal("stale_game")
    if deal is None or not deal.fits(seat, bytes.fromhex(message.seed)):
        raise Refusal("bad_seed")
    return [entries.SeedShown(seat=seat, seed=message.seed)]


def rematch(asker: Asker, message: asked.Rematch) -> Entries:
    """Another game, when everybody present has asked for it."""
    seat = asker.seat
    asker.needs_phase("over")
    wanted: Entries = [entries.RematchWanted(seat=seat)]
    waiting = [
        chair
        for chair in asker.sitting.chairs
        if chair.player in asker.present and chair.player != asker.player and not chair.rematch
    ]
    return wanted if waiting else [*wanted, *_shuffle(asker)]


def start(asker: Asker, message: asked.Start) -> Entries:
    """The next game."""
    asker.needs_host()
    asker.needs_phase("lobby", "over")
    return _shuffle(asker)


def _shuffle(asker: Asker) -> Entries:
    sitting = asker.sitting
    if len(sitting.chairs) < LEAST_PLAYERS:
        raise Refusal("too_few_players", least=LEAST_PLAYERS)
    most = needs_rules(sitting.settings).most_players
    if len(sitting.chairs) > most:
        raise Refusal("table_full", most=most)
    if sitting.settings.rated and len(sitting.people) < len(sitting.chairs):
        raise Refusal("no_rating")
    taking_part = [
        seat
        for seat, chair in enumerate(sitting.chairs)
        if asker.ask_seeds and chair.player in asker.present and chair.covered is None
    ]
    return [entries.Shuffling(secret=asker.secret(64).hex(), seats=taking_part)]


# ---- people -------------------------------------------------------------------------------------


def join(
    asker: Asker, name: str, *, invite: str | None, seat: int | None, spectate: bool
) -> Entries:
    """Sit down, or watch; a person who has a seat gets it back."""
    sitting = asker.sitting
    if sitting.phase == "closed":
        raise Refusal("closed")
    if asker.player in sitting.banned:
        raise Refusal("kicked")
    own = sitting.seat_of(asker.player)
    if own is not None:
        if sitting.chairs[own].covered is None:
            return []
        return [entries.Returned(seat=own)]
    if sitting.settings.privacy == "private" and not _opens(sitting, invite):
        raise Refusal("wrong_invite")
    if spectate:
        if sitting.settings.spectators == "none":
            raise Refusal("no_spectators")
        known = asker.player in sitting.spectators
        return [] if known else [entries.Watching(player=asker.player, name=name)]
    return [entries.Joined(player=asker.player, name=name, seat=_free_seat(asker, seat))]


def _opens(sitting: Sitting, invite: str | None) -> bool:
    given = (invite or "").replace("-", "").upper()
    return hmac.compare_digest(given.encode(), sitting.invite.replace("-", "").encode())


def _free_seat(asker: Asker, seat: int | None) -> int:
    sitting = asker.sitting
    if seat is not None:
        chair = asker.chair_at(seat)
        if chair.player is not None and chair.covered != "left":
            raise Refusal("seat_taken")
        return seat
    if not sitting.between_games:
        raise Refusal("wrong_phase", phase=sitting.phase)
    most = needs_rules(sitting.settings).most_players
    if len(sitting.chairs) >= most:
        bots = [i for i, chair in enumerate(sitting.chairs) if chair.player is None]
        if not bots:
            raise Refusal("table_full", most=most)
        return bots[0]
    return len(sitting.chairs)


def leave(asker: Asker, message: asked.Leave | None = None) -> Entries:
    """Go away; the last person closes the table behind them."""
    sitting = asker.sitting
    if sitting.phase == "closed":
        raise Refusal("closed")
    seat = sitting.seat_of(asker.player)
    if seat is None and asker.player not in sitting.spectators:
        raise Refusal("not_seated")
    if seat is not None and sitting.chairs[seat].covered == "left":
        return []
    gone: Entries = [entries.Left(player=asker.player)]
    return [*gone, entries.Closed()] if sitting.people == [seat] else gone


def step_away(asker: Asker, message: asked.StepAway) -> Entries:
    """A bot covers for the asker."""
    asker.needs_phase("playing", "deal")
    if asker.chair.covered is not None:
        return []
    return [entries.Covered(seat=asker.seat, why="asked")]


def take_back(asker: Asker, message: asked.TakeBack) -> Entries:
    """The asker has the seat back from the bot."""
    if asker.chair.covered is None:
        raise Refusal("not_covered")
    return [entries.Returned(seat=asker.seat)]


def move_seat(asker: Asker, seat: int, owner: str) -> Entries:
    """The seat moves to the asker, another device of its person."""
    sitting = asker.sitting
    if sitting.phase == "closed":
        raise Refusal("closed")
    if asker.player in sitting.banned:
        raise Refusal("kicked")
    if sitting.seat_of(asker.player) is not None:
        raise Refusal("already_seated", seat=sitting.seat_of(asker.player))
    if sitting.seat_of(owner) != seat:
        raise Refusal("code_expired")
    return [entries.SeatMoved(seat=seat, player=asker.player)]


# ---- the host -----------------------------------------------------------------------------------


def add_bot(asker: Asker, message: asked.AddBot) -> Entries:
    """A bot in a new seat, or another level for the bot in a seat."""
    asker.needs_host()
    needs_level(asker, message.level)
    sitting = asker.sitting
    if message.seat is not None:
        if asker.chair_at(message.seat).player is not None:
            raise Refusal("seat_taken")
        return [entries.BotSeated(seat=message.seat, level=message.level)]
    asker.needs_phase("lobby", "over")
    most = needs_rules(sitting.settings).most_players
    if len(sitting.chairs) >= most:
        raise Refusal("table_full", most=most)
    return [entries.BotSeated(seat=len(sitting.chairs), level=message.level)]


def needs_level(asker: Asker, level: str) -> None:
    """Refuses a bot that does not exist."""
    if level not in asker.levels:
        raise Refusal("no_such_bot", levels=list(asker.levels))


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
    if asker.sitting.paused:
        raise Refusal("paused")
    return [entries.Paused()]


def resume(asker: Asker, message: asked.Resume) -> Entries:
    """The game goes on."""
    asker.needs_host()
    if not asker.sitting.paused:
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
    sitting = asker.sitting
    if sitting.phase == "closed":
        raise Refusal("closed")
    if not sitting.between_games:
        for name in _FIXED_DURING_A_GAME:
            if getattr(message.settings, name) != getattr(sitting.settings, name):
                raise Refusal("bad_settings", setting=name)
    most = needs_rules(message.settings).most_players
    if len(sitting.chairs) > most:
        raise Refusal("table_full", most=most)
    return [entries.Changed(settings=message.settings)]


def close(asker: Asker, message: asked.Close) -> Entries:
    """The end of the table."""
    asker.needs_host()
    if asker.sitting.phase == "closed":
        raise Refusal("closed")
    return [entries.Closed()]


def needs_rules(settings: Settings) -> Any:
    """The rules of these settings; refused if there are no such rules."""
    try:
        return rules_for(settings, LEAST_PLAYERS)
    except (RulesError, TypeError) as error:
        raise Refusal("bad_rules", reason=str(error)) from None


_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_code(secret: Callable[[int], bytes]) -> str:
    """A short code that can be read aloud: 40 random bits without letters that look alike."""
    number = int.from_bytes(secret(5), "big")
    letters = [_ALPHABET[number >> 5 * place & 31] for place in range(8)]
    return "".join(letters[:4]) + "-" + "".join(letters[4:])


ASKED: dict[type[msgspec.Struct], Callable[[Asker, Any], Entries]] = {
    asked.Act: act,
    asked.Undo: undo,
    asked.Commit: commit,
    asked.Reveal: reveal,
    asked.Rematch: rematch,
    asked.Start: start,
    asked.Leave: leave,
    asked.StepAway: step_away,
    asked.TakeBack: take_back,
    asked.AddBot: add_bot,
    asked.Remove: remove,
    asked.Kick: kick,
    asked.CoverSeat: cover,
    asked.Pause: pause,
    asked.Resume: resume,
    asked.Rotate: rotate,
    asked.HandOver: hand_over,
    asked.Change: change,
    asked.Close: close,
}

"""Asking: what a client asks of a table, checked, as the entries that would do it.

Nothing is changed here: the answer is a list of entries, or a Refusal that says why not. What only
the host may ask is in `host`.
"""

import hmac
from collections.abc import Callable
from typing import Any

import msgspec

from karma.moves import IllegalMove, InvalidMove, Move
from karma.protocol import messages as asked
from karma.table.clients.sight import against_bots
from karma.table.log import entries
from karma.table.log.state import LEAST_PLAYERS, TableState
from karma.table.refusal import Refusal
from karma.table.requests import host
from karma.table.requests.asker import Asker, Entries, needs_rules

# ---- the game -----------------------------------------------------------------------------------


def act(asker: Asker, message: asked.Act) -> Entries:
    """A move, or up to three while choosing."""
    state, seat = asker.state, asker.seat
    if message.game != state.number:
        raise Refusal("stale_game")
    asker.needs_phase("playing")
    if state.paused:
        raise Refusal("paused")
    if asker.chair.covered in ("asked", "left"):
        raise Refusal("not_your_turn", actor=None)
    view = state.view(seat)
    assert view is not None
    if message.ply != view.ply:
        raise Refusal("stale_ply")
    if seat not in state.asked():
        if state.choosing is not None:
            raise Refusal("already_chosen")
        raise Refusal("not_your_turn", actor=view.actor)
    _needs_legal(state, seat, message.moves)
    back: Entries = [] if asker.chair.covered is None else [entries.Returned(seat=seat)]
    return [*back, entries.Made(seat=seat, moves=message.moves, by="person")]


def _needs_legal(state: TableState, seat: int, texts: list[str]) -> None:
    """Refuses what the engine would not take."""
    view = state.view(seat)
    assert view is not None
    try:
        moves = [Move(text) for text in texts]
        if state.choosing is not None:
            state.choosing.check(seat, moves)
        elif len(moves) != 1 or moves[0] not in view.legal:
            raise Refusal("illegal_move", move=texts[-1])
    except (InvalidMove, IllegalMove):
        raise Refusal("illegal_move", move=texts[-1]) from None


def undo(asker: Asker, message: asked.Undo) -> Entries:
    """Back to before the asker's last decision."""
    state, seat = asker.state, asker.seat
    if message.game != state.number:
        raise Refusal("stale_game")
    asker.needs_phase("playing")
    if not against_bots(state):
        raise Refusal("no_hints")
    if message.ply != state.ply:
        raise Refusal("stale_ply")
    if state.choosing is not None:
        raise Refusal("wrong_phase", phase=state.phase)
    assert state.game is not None
    trial = state.game.copy()
    while trial.ply:
        trial.pop()
        if trial.phase == "choose":
            break
        if trial.actor == seat:
            return [entries.Undone(ply=trial.ply)]
    raise Refusal("stale_ply")


def commit(asker: Asker, message: asked.Commit) -> Entries:
    """A seat's promise in the fair deal."""
    deal, seat = asker.state.deal, asker.seat
    if message.game != asker.state.number:
        raise Refusal("stale_game")
    if deal is None or not deal.may_commit(seat):
        raise Refusal("bad_commitment")
    return [entries.Committed(seat=seat, commitment=message.commitment)]


def reveal(asker: Asker, message: asked.Reveal) -> Entries:
    """A seat's seed in the fair deal."""
    deal, seat = asker.state.deal, asker.seat
    if message.game != asker.state.number:
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
        for chair in asker.state.chairs
        if chair.player in asker.present and chair.player != asker.player and not chair.rematch
    ]
    return wanted if waiting else [*wanted, *_shuffle(asker)]


def start(asker: Asker, message: asked.Start) -> Entries:
    """The next game."""
    asker.needs_host()
    asker.needs_phase("lobby", "over")
    return _shuffle(asker)


def _shuffle(asker: Asker) -> Entries:
    state = asker.state
    if len(state.chairs) < LEAST_PLAYERS:
        raise Refusal("too_few_players", least=LEAST_PLAYERS)
    most = needs_rules(state.settings).most_players
    if len(state.chairs) > most:
        raise Refusal("table_full", most=most)
    if state.settings.rated and len(state.people) < len(state.chairs):
        raise Refusal("no_rating")
    taking_part = [
        seat
        for seat, chair in enumerate(state.chairs)
        if asker.ask_seeds and chair.player in asker.present and chair.covered is None
    ]
    return [entries.Shuffling(secret=asker.secret(64).hex(), seats=taking_part)]


# ---- people -------------------------------------------------------------------------------------


def join(
    asker: Asker, name: str, *, invite: str | None, seat: int | None, spectate: bool
) -> Entries:
    """Sit down, or watch; a person who has a seat gets it back."""
    state = asker.state
    if state.phase == "closed":
        raise Refusal("closed")
    if asker.player in state.banned:
        raise Refusal("kicked")
    own = state.seat_of(asker.player)
    if own is not None:
        if state.chairs[own].covered is None:
            return []
        return [entries.Returned(seat=own)]
    if state.settings.privacy == "private" and not _opens(state, invite):
        raise Refusal("wrong_invite")
    if spectate:
        if state.settings.spectators == "none":
            raise Refusal("no_spectators")
        known = asker.player in state.spectators
        return [] if known else [entries.Watching(player=asker.player, name=name)]
    return [entries.Joined(player=asker.player, name=name, seat=_free_seat(asker, seat))]


def _opens(state: TableState, invite: str | None) -> bool:
    given = (invite or "").replace("-", "").upper()
    return hmac.compare_digest(given.encode(), state.invite.replace("-", "").encode())


def _free_seat(asker: Asker, seat: int | None) -> int:
    state = asker.state
    if seat is not None:
        chair = asker.chair_at(seat)
        if chair.player is not None and chair.covered != "left":
            raise Refusal("seat_taken")
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


def leave(asker: Asker, message: asked.Leave | None = None) -> Entries:
    """Go away; the last person closes the table behind them."""
    state = asker.state
    if state.phase == "closed":
        raise Refusal("closed")
    seat = state.seat_of(asker.player)
    if seat is None and asker.player not in state.spectators:
        raise Refusal("not_seated")
    if seat is not None and state.chairs[seat].covered == "left":
        return []
    gone: Entries = [entries.Left(player=asker.player)]
    return [*gone, entries.Closed()] if state.people == [seat] else gone


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
    state = asker.state
    if state.phase == "closed":
        raise Refusal("closed")
    if asker.player in state.banned:
        raise Refusal("kicked")
    if state.seat_of(asker.player) is not None:
        raise Refusal("already_seated", seat=state.seat_of(asker.player))
    if state.seat_of(owner) != seat:
        raise Refusal("code_expired")
    return [entries.SeatMoved(seat=seat, player=asker.player)]


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
    asked.AddBot: host.add_bot,
    asked.Remove: host.remove,
    asked.Kick: host.kick,
    asked.CoverSeat: host.cover,
    asked.Pause: host.pause,
    asked.Resume: host.resume,
    asked.Rotate: host.rotate,
    asked.HandOver: host.hand_over,
    asked.Change: host.change,
    asked.Close: host.close,
}

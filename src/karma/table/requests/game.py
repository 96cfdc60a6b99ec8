"""Game: what a seat may ask for in a game, in its deal, and after it."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from karma.advice import Reason
from karma.editions import LEAST_PLAYERS, TO_CHOOSE
from karma.moves import InvalidMove, Move
from karma.protocol import messages
from karma.protocol.bodies import ReviewedFact
from karma.protocol.state import Hex32
from karma.refusals import Refusal, why_not
from karma.review.hint import Numbers
from karma.table.clients.sight import against_bots
from karma.table.log.deal import SECONDS
from karma.table.log.games import (
    Committed,
    Made,
    RematchWanted,
    SeedLeftOut,
    SeedShown,
    Shuffling,
    Undone,
)
from karma.table.log.seats import Returned
from karma.table.log.state import TableState
from karma.table.requests.asker import Asker, Entries, needs_room_for_bots, needs_rules
from karma.table.requests.request import SeatRequest

GameNumber = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Ply = Annotated[int, Meta(ge=0, le=2**31 - 1)]
MoveText = Annotated[str, Meta(min_length=1, max_length=5)]
SECONDS_TO_COME = 30
"""How long a deal waits for the promise of who has begun it and is not connected yet."""
PACES = {"off": 0.3, "fast": 0.6, "normal": 1.0, "slow": 2.0}
"""How many times as long as usual bots wait, by a player's speed of motion."""


class Act(SeatRequest, tag="act", frozen=True, kw_only=True):
    """A move, or, while choosing, up to three `^` moves at once; see *Moves*."""

    plays: ClassVar[bool] = True
    game: GameNumber
    ply: Ply
    """The ply of the View that this answers."""
    moves: Annotated[list[MoveText], Meta(min_length=1, max_length=TO_CHOOSE)]

    def handle(self, asker: Asker) -> Entries:
        state, seat = asker.state, asker.seat
        if self.game != state.number:
            raise Refusal("stale_game")
        asker.needs_phase("playing")
        if state.paused:
            raise Refusal("paused")
        if asker.chair.covered in ("asked", "left"):
            raise Refusal("not_your_turn", actor=None)
        view = state.view(seat)
        assert view is not None
        if self.ply != view.ply:
            raise Refusal("stale_ply")
        if seat not in state.asked():
            if state.choosing is not None:
                raise Refusal("already_chosen")
            raise Refusal("not_your_turn", actor=view.actor)
        _needs_legal(state, seat, self.moves)
        back: Entries = [] if asker.chair.covered is None else [Returned(seat=seat)]
        return [*back, Made(seat=seat, moves=self.moves, by="person")]


class Commit(SeatRequest, tag="commit", frozen=True, kw_only=True):
    """The commitment to this seat's seed; see *The fair deal*."""

    plays: ClassVar[bool] = True
    game: GameNumber
    commitment: Hex32

    def handle(self, asker: Asker) -> Entries:
        deal, seat = asker.state.deal, asker.seat
        if self.game != asker.state.number:
            raise Refusal("stale_game")
        if deal is None or not deal.may_commit(seat):
            raise Refusal("bad_commitment")
        return [Committed(seat=seat, commitment=self.commitment)]


class Reveal(SeatRequest, tag="reveal", frozen=True, kw_only=True):
    """This seat's seed; see *The fair deal*."""

    plays: ClassVar[bool] = True
    game: GameNumber
    seed: Hex32

    def handle(self, asker: Asker) -> Entries:
        deal, seat = asker.state.deal, asker.seat
        if self.game != asker.state.number:
            raise Refusal("stale_game")
        if deal is None or not deal.fits(seat, bytes.fromhex(self.seed)):
            raise Refusal("bad_seed")
        return [SeedShown(seat=seat, seed=self.seed)]


class LeftOut(SeatRequest, tag="left_out", frozen=True, kw_only=True):
    """Tell the table, once, that the seed which this seat sent was left out of the deal."""

    game: GameNumber

    def handle(self, asker: Asker) -> Entries:
        deal, seat = asker.state.deal, asker.seat
        if self.game != asker.state.number:
            raise Refusal("stale_game")
        if deal is None or not deal.may_complain(seat):
            raise Refusal("bad_seed")
        return [SeedLeftOut(seat=seat)]


class Hint(SeatRequest, tag="hint", frozen=True, kw_only=True):
    """Ask for `advice`, where `table.hints`."""

    def handle(self, asker: Asker) -> Entries:
        state, seat, client = asker.state, asker.seat, asker.connection
        if not against_bots(state):
            raise Refusal("no_hints")
        if seat not in state.asked():
            view = state.view(seat)
            raise Refusal("not_your_turn", actor=view.actor if view is not None else None)

        def told(ply: int, moves: list[str], why: list[Reason], numbers: Numbers) -> None:
            client.outbox.send(
                messages.Advice(
                    id=self.id,
                    ply=ply,
                    moves=moves,
                    reasons=why,
                    instead=None if numbers.instead is None else str(numbers.instead),
                    facts=[ReviewedFact(**each.json()) for each in numbers.facts],
                )
            )

        asker.thoughts.advise(state, seat, told)
        return []


class SetPace(SeatRequest, tag="set_pace", frozen=True, kw_only=True):
    """Have bots move faster or slower, where `table.hints`; usual again when others come."""

    pace: Literal["off", "fast", "normal", "slow"]

    def handle(self, asker: Asker) -> Entries:
        if not against_bots(asker.state):
            raise Refusal("not_allowed")
        asker.thoughts.change_pace(PACES[self.pace])
        return []


class Undo(SeatRequest, tag="undo", frozen=True, kw_only=True):
    """Take back your last move, where `table.hints`; the game is practice from then on."""

    game: GameNumber
    ply: Ply
    """The ply of the View from which the client asks."""

    def handle(self, asker: Asker) -> Entries:
        state, seat = asker.state, asker.seat
        if self.game != state.number:
            raise Refusal("stale_game")
        asker.needs_phase("playing")
        if not against_bots(state):
            raise Refusal("no_hints")
        if self.ply != state.ply:
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
                return [Undone(ply=trial.ply)]
        raise Refusal("stale_ply")


class Rematch(SeatRequest, tag="rematch", frozen=True, kw_only=True):
    """Ask for another game; it begins when every person present has asked."""

    begins: ClassVar[bool] = True

    def handle(self, asker: Asker) -> Entries:
        seat = asker.seat
        asker.needs_phase("over")
        wanted: Entries = [RematchWanted(seat=seat)]
        waiting = [
            chair
            for chair in asker.state.chairs
            if chair.player in asker.present and chair.player != asker.player and not chair.rematch
        ]
        return wanted if waiting else [*wanted, *shuffle(asker)]


def _needs_legal(state: TableState, seat: int, texts: list[str]) -> None:
    """Refuses what the engine would not take, and says why."""
    view = state.view(seat)
    assert view is not None
    try:
        moves = [Move(text) for text in texts]
    except InvalidMove:
        raise Refusal("no_such_move") from None
    if state.choosing is not None:
        state.choosing.check(seat, moves)
    elif len(moves) != 1:
        raise Refusal("too_many", most=1)
    elif moves[0] not in view.legal:
        raise why_not(view, moves[0])


def shuffle(asker: Asker) -> Entries:
    """The next game, if these players can have one.

    Who asks by a page instead of a connection is on their way to the table, and waited for.
    """
    state = asker.state
    if len(state.chairs) < LEAST_PLAYERS:
        raise Refusal("too_few_players", least=LEAST_PLAYERS)
    most = needs_rules(state.settings).most_players
    if len(state.chairs) > most:
        raise Refusal("table_full", most=most)
    if state.settings.rated and len(state.people) < len(state.chairs):
        raise Refusal("no_rating")
    if any(chair.moved_by_bot for chair in state.chairs):
        needs_room_for_bots(asker)
    taking_part = [
        seat
        for seat, chair in enumerate(state.chairs)
        if asker.ask_seeds
        and chair.player in {*asker.present, asker.player}
        and chair.covered is None
    ]
    here = asker.player in asker.present
    seconds = SECONDS if here or not taking_part else SECONDS_TO_COME
    return [Shuffling(secret=asker.secret(64).hex(), seats=taking_part, seconds=seconds)]

"""Games: the entries of a table's games: the deal, the moves, the end, the wish for another."""

import dataclasses
from typing import Any, Literal

from karma import fair
from karma.game import Game
from karma.moves import Move
from karma.record import Record
from karma.store import Finished
from karma.table.log.choices import FaceUpChoices
from karma.table.log.deal import SECONDS, Deal
from karma.table.log.entry import Entry, Step
from karma.table.log.state import TableState, Tally, rules_for

MISSED_BEFORE_COVER = 3
MadeBy = Literal["person", "bot", "clock", "safe"]


class RematchWanted(Entry, tag="rematch_wanted", frozen=True, kw_only=True):
    """A person wants another game."""

    seat: int

    def apply(self, state: TableState, step: Step) -> None:
        state.chairs[self.seat].rematch = True
        step.notice_of(state, "rematch_wanted", self.seat)


class Shuffling(Entry, tag="shuffling", frozen=True, kw_only=True):
    """The next game's fair deal begins."""

    secret: str
    seats: list[int]
    """The seats that are asked for a seed."""
    seconds: int = SECONDS
    """How long their promises are waited for."""

    def apply(self, state: TableState, step: Step) -> None:
        _begin(state)
        state.phase = "deal"
        state.practice = False
        state.game = None
        state.deal = Deal(
            table=state.id,
            game=state.number,
            seats=len(state.chairs),
            people=state.people,
            asked=self.seats,
            secret=bytes.fromhex(self.secret),
            at=step.at,
            seconds=self.seconds,
        )
        step.notice("shuffling", game=state.number)
        if state.deal.ready:
            _deal_out(state, step)


class Committed(Entry, tag="committed", frozen=True, kw_only=True):
    """A seat promised its seed."""

    seat: int
    commitment: str

    def apply(self, state: TableState, step: Step) -> None:
        assert state.deal is not None
        state.deal.commit(self.seat, bytes.fromhex(self.commitment), step.at)


class SeedShown(Entry, tag="seed_shown", frozen=True, kw_only=True):
    """A seat showed its seed."""

    seat: int
    seed: str

    def apply(self, state: TableState, step: Step) -> None:
        assert state.deal is not None
        state.deal.show(self.seat, bytes.fromhex(self.seed))
        if state.deal.ready:
            _deal_out(state, step)


class SeedsClosed(Entry, tag="seeds_closed", frozen=True, kw_only=True):
    """Time is up for promises, or for seeds."""

    def apply(self, state: TableState, step: Step) -> None:
        assert state.deal is not None
        state.deal.close(step.at)
        if state.deal.ready:
            _deal_out(state, step)


class SeedLeftOut(Entry, tag="seed_left_out", frozen=True, kw_only=True):
    """A seat says that the seed it promised was left out of the deal."""

    seat: int

    def apply(self, state: TableState, step: Step) -> None:
        assert state.deal is not None
        state.deal.complain(self.seat)
        step.notice_of(state, "seed_left_out", self.seat)


class Forked(Entry, tag="forked", frozen=True, kw_only=True):
    """A practice game begins from a position of a finished one."""

    record: str
    ply: int
    seat: int
    """Where the host sits; bots have the other seats."""

    def apply(self, state: TableState, step: Step) -> None:
        _begin(state)
        state.chairs.insert(self.seat, state.chairs.pop(0))
        record = dataclasses.replace(
            Record.loads(self.record), players=tuple(chair.name for chair in state.chairs)
        )
        game = record.deal()
        for text in record.moves[: self.ply]:
            game.push(text)
        if game.phase == "choose":  # half-made choices cannot be asked for again
            game = record.deal()
        state.practice = True
        state.deal = None
        state.dealer = game.dealer
        _play(state, step, game)


class Dealt(Entry, tag="dealt", frozen=True, kw_only=True):
    """A game begins with cards from a seed that somebody named: no fair deal."""

    seed: int
    deck: list[str]

    def apply(self, state: TableState, step: Step) -> None:
        _begin(state)
        state.practice, state.deal, state.seed = False, None, self.seed
        rules = rules_for(state.settings, len(state.chairs))
        names = [chair.name for chair in state.chairs]
        _play(state, step, Game(rules, names, deck=self.deck, dealer=state.dealer))


class Made(Entry, tag="made", frozen=True, kw_only=True):
    """A seat's moves: one, or up to three while choosing."""

    seat: int
    moves: list[str]
    by: MadeBy
    why: str | None = None
    """What a bot did wrong, where the move is a safe one in its place."""

    def apply(self, state: TableState, step: Step) -> None:
        assert state.game is not None
        chair = state.chairs[self.seat]
        moves = [Move(text) for text in self.moves]
        if state.choosing is not None:
            state.choosing.choose(self.seat, moves)
            if state.choosing.complete:
                step.events += state.choosing.play()
                state.choosing = None
                state.asked_at = step.at
        else:
            (move,) = moves
            step.events += state.game.push(move)
            state.asked_at = step.at
        if self.by == "person":
            chair.missed = 0
        elif self.by == "safe":
            chair.failed = True
            step.notice_of(state, "bot_failed", self.seat, why=self.why)
        elif self.by == "clock":
            _ran_out(state, step, self.seat)
        if state.game.over:
            _end(state, step)


class Undone(Entry, tag="undone", frozen=True, kw_only=True):
    """Moves were taken back, in a game of one person against bots."""

    ply: int

    def apply(self, state: TableState, step: Step) -> None:
        assert state.game is not None
        while state.game.ply > self.ply:
            state.game.pop()
        state.practice = True
        state.undone += 1
        state.asked_at = step.at
        step.notice("undone", ply=self.ply)


def _begin(state: TableState) -> None:
    state.number += 1
    state.seed = None
    seats = len(state.chairs)
    state.dealer = seats - 1 if state.dealer is None else (state.dealer + 1) % seats
    for chair in state.chairs:
        chair.failed, chair.rematch, chair.missed = False, False, 0
        chair.offered, chair.taken_over = False, False
    state.sat = {chair.player: seat for seat, chair in enumerate(state.chairs) if chair.player}


def _deal_out(state: TableState, step: Step) -> None:
    assert state.deal is not None
    state.deal.finish()
    for seat in state.deal.missing:
        step.notice_of(state, "seed_missing", seat)
    rules = rules_for(state.settings, len(state.chairs))
    deck = fair.deal(rules, state.id, state.number, state.deal.secret, state.deal.seeds)
    names = [chair.name for chair in state.chairs]
    _play(state, step, Game(rules, names, deck=deck, dealer=state.dealer))


def _play(state: TableState, step: Step, game: Game) -> None:
    state.game = game
    state.phase = "playing"
    state.asked_at = step.at
    state.choosing = FaceUpChoices(game) if game.phase == "choose" else None
    step.notice("dealt", game=state.number, dealer=game.dealer, seed=state.seed)


def _ran_out(state: TableState, step: Step, seat: int) -> None:
    chair = state.chairs[seat]
    step.notice_of(state, "clock_ran_out", seat)
    chair.missed += 1
    if chair.missed >= MISSED_BEFORE_COVER and chair.covered is None:
        chair.covered = "clock"
        step.notice_of(state, "player_covered", seat, why="clock")


def _end(state: TableState, step: Step) -> None:
    assert state.game is not None and state.game.outcome is not None
    loser = state.game.outcome.loser
    step.notice("game_over", game=state.number, loser=loser)
    if not state.practice:
        for seat, chair in enumerate(state.chairs):
            tally = state.tallies.setdefault(chair.player or f"bot {chair.name}", Tally(""))
            tally.name = chair.name
            tally.played += 1
            tally.lost += seat == loser
    _put_down(state, step, complete=True)


def give_up(state: TableState, step: Step) -> None:
    """The present game, or its deal, ends without a result."""
    step.notice("game_stopped", game=state.number)
    state.given_up.append(state.number)
    if state.game is None:
        state.phase = "lobby"
        if state.deal is not None:
            state.deal.publish()
    else:
        _put_down(state, step, complete=False)


def _put_down(state: TableState, step: Step, *, complete: bool) -> None:
    """The game has ended: its secret is published, its record is kept, the gone are gone."""
    assert state.game is not None
    extra: dict[str, Any] = {"date": step.date}
    if state.deal is not None:
        state.deal.publish()
        extra["fair"] = state.deal.record()
    if state.seed is not None:
        extra["seed"] = state.seed
    if state.practice:
        extra["practice"] = True
    step.finished = Finished(
        game=state.number,
        record=Record.of(state.game, **extra),
        players=tuple(chair.player for chair in state.chairs),
        rated=state.settings.rated and complete and not state.practice,
        complete=complete,
    )
    state.phase = "over"
    state.choosing = None
    state.paused_at = None
    for chair in state.chairs:
        if chair.covered == "left":
            chair.player, chair.covered, chair.bot = None, None, chair.level
        chair.offered = False

"""The reviewer: goes through a game and writes its review down, the ledger first, then the depth.

Every ply is worked out by itself, from the record alone: whoever reviews can stop after any of
them and go on later, in another process if need be, and comes to the same review.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from karma.moves import Move
from karma.record import Record
from karma.review.baseline import Baseline, baseline, rollouts
from karma.review.decisions import all_losses, decide, different
from karma.review.ledger import MISTAKE, Judgement, Ply, Review
from karma.review.luck import shown
from karma.review.reasons import contrasts
from karma.review.reply import reply
from karma.review.values import Judge, dealt, judge_for, moved, seen_by, values

WORLDS = 100
Progress = Callable[[int, int], None]


def review(
    record: Record,
    *,
    worlds: int = WORLDS,
    seed: int = 1,
    seats: Collection[int] | None = None,
    progress: Progress | None = None,
) -> Review:
    """Reviews a game: the ledger first, then the decisions of some seats (of all, by default)."""
    found = account(record, seed=seed)
    found.worlds = worlds
    judge_decisions(found, seats, progress)
    return found


def account(record: Record, *, seed: int = 1) -> Review:
    """Values every position and every card of a game; no decision is judged yet."""
    found = begin(record, baseline(record.rules, len(record.players)), seed=seed)
    found.plies += value_plies(record, seed)
    close(found)
    return found


def begin(record: Record, expected: Baseline, *, seed: int = 1) -> Review:
    """An empty review: what was expected, and the luck of the deal."""
    record.replay()
    players = record.players
    judge = _judge(record, own_chance(record, seed))
    # The baseline is by the distance from the dealer, who is the last.
    expected = expected.around(record.dealer)
    state = dealt(record.rules, len(players), record.deck, record.dealer)
    first = values(judge, state, record.rules, players)
    return Review(
        record=record,
        judge=judge.name,
        seed=seed,
        worlds=0,
        baseline=tuple(expected.values.tolist()),
        baseline_error=tuple(expected.errors.tolist()),
        deal=tuple((first - expected.values).tolist()),
    )


def value_plies(record: Record, seed: int, first: int = 0) -> Iterator[Ply]:
    """The plies of a game from one on, with the values around them and the luck in them."""
    rules, players = record.rules, record.players
    judge = _judge(record, own_chance(record, seed))
    state = dealt(rules, len(players), record.deck, record.dealer)
    for text in record.moves[:first]:
        state = moved(state, Move(text).number, rules)
    before = values(judge, state, rules, players)
    for number, text in enumerate(record.moves[first:], first):
        move, seat = Move(text), int(state["actor"][0])
        choice = len(different(seen_by(state, seat, rules, players))) > 1
        cards = shown(judge, state, move.number, rules, players)
        state = moved(state, move.number, rules)
        after = values(judge, state, rules, players)
        yield Ply(number, seat, move, choice, tuple(before.tolist()), tuple(after.tolist()), cards)
        before = after


def close(found: Review) -> None:
    """Writes the result down, if the game has one."""
    if found.record.replay().over:
        found.result = found.plies[-1].after


def judge_decisions(
    found: Review, seats: Collection[int] | None = None, progress: Progress | None = None
) -> None:
    """Judges the decisions of some seats (of all, by default), in as many worlds as it says."""
    judged = [ply for ply in found.plies if ply.choice and (seats is None or ply.seat in seats)]
    numbers = [ply.ply for ply in judged]
    decisions = judge_plies(found.record, numbers, found.worlds, found.seed)
    for done, (ply, decision) in enumerate(zip(judged, decisions, strict=True), 1):
        ply.decision = decision
        if progress is not None:
            progress(done, len(judged))


def judge_plies(
    record: Record, plies: Sequence[int], worlds: int, seed: int, *, try_again: bool = False
) -> Iterator[Judgement]:
    """What the moves of some plies, in order, cost; to try again, what any other would have."""
    game = record.deal()
    judge = _judge(record, seed)
    for ply in plies:
        for text in record.moves[game.ply : ply]:
            game.push(text)
        assert game.actor is not None
        view, move = game.view(game.actor), Move(record.moves[ply])
        found = decide(view, move, judge, worlds, seed)
        judged = Judgement(found.best, found.loss, found.error, tuple(contrasts(found.trials)))
        if judged.sure_loss >= MISTAKE:
            judged = replace(judged, reply=reply(view, move, judge, seed))
            if try_again:
                losses = all_losses(view, found, judge, worlds, seed)
                judged = replace(judged, losses=tuple(losses))
        yield judged


def own_chance(record: Record, seed: int) -> int:
    """The seed by which a game's positions are valued: another one for each deck.

    By one for all games, what rollouts happen to do would be the same at every deal and pass for
    luck. Decisions know nothing of the deck, and are judged by the seed alone.
    """
    return zlib.crc32(f"{seed} {' '.join(record.deck)}".encode())


def _judge(record: Record, seed: int) -> Judge:
    players = len(record.players)
    return judge_for(record.rules, players, rollouts(players), seed)

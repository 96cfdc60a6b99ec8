"""The proofs of the page on reviews that are no commands of karma's own.

``python -m workshop.proofs NAME [NUMBER]`` prints what came out; the names are at the end.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from karma.arena.results import ArenaResults
from karma.arena.runner import new_pool, run
from karma.arena.statistics import adjusted
from karma.bots.chance import word
from karma.bots.choice import trained_net
from karma.core import imagine
from karma.editions import EDITIONS, OPTIONS, Rules
from karma.packing import new_states
from karma.record import Record
from karma.review.audit import Audit
from karma.review.baseline import rollouts
from karma.review.decisions import decide, different, trials
from karma.review.facts import FACTS
from karma.review.ledger import MISTAKE
from karma.review.reasons import contrasts
from karma.review.reviewer import account, judge_decisions
from karma.review.values import Judge, judge_for, seen_by
from karma.simulation import cores
from karma.simulation.lineup import Lineup
from karma.view import View
from workshop.battery import BATTERY
from workshop.coefficients import tables

SEED = 15_000
WORLDS = 100
FEW_WORLDS = 20  # a sum over many games hangs on the games, not on the worlds of each decision
SLOW = {"expert", "master", "flat", "endgame"}
JUDGED = ("mini 2", "mini 4", "classic 4")


def play(rules: Rules, bots: Sequence[str], games: int, seed: int = SEED) -> list[Record]:
    """So many games of some bots."""
    return Lineup(rules, tuple(bots), seed).play(range(games), record=True).records


def in_turn(players: int) -> list[str]:
    """Greedy and steady in turn around a table."""
    return [("greedy", "steady")[seat % 2] for seat in range(players)]


# ---- accounts -----------------------------------------------------------------------------------


def random_table(rng: Any) -> tuple[Rules, int]:
    """An edition with every option changed in one case of four, and how many play."""
    rules = EDITIONS[str(rng.choice(list(EDITIONS)))]
    changes = {
        option.name: list(option.values)[int(rng.integers(len(option.values)))]
        for option in OPTIONS.values()
        if option.name != "stall_limit" and rng.random() < 0.25
    }
    rules = rules.replace(**changes)
    players = int(rng.integers(2, rules.most_players + 1))
    return rules.for_table(players), players


def house_tables() -> Iterator[tuple[Rules, int]]:
    """Twenty random tables with house rules."""
    rng = np.random.default_rng(SEED)
    told = 0
    while told < 20:
        rules, players = random_table(rng)
        if not rules.overrides.keys() <= {"stall_limit"}:
            told += 1
            yield rules, players


def printed(number: int = 770) -> None:
    """The accounts of 10,000 games at the printed tables that have a network."""
    audit_tables([(r, n) for _, r, n in tables() if trained_net(r, n) is not None], number)


def house(number: int = 50) -> None:
    """The accounts of games at twenty random tables of house rules."""
    audit_tables(list(house_tables()), number)


def audit_tables(places: Sequence[tuple[Rules, int]], number: int) -> None:
    """Do the accounts of so many games at each table add up, and is their luck fair?"""
    audits = []
    for rules, players in places:
        audit = Audit()
        for record in play(rules, in_turn(players), number):
            audit.add(account(record))
        audits.append(audit)
        changed = {k: v for k, v in rules.overrides.items() if k != "stall_limit"}
        print(rules.edition, players, changed, *audit.lines(), sep="\n  ", flush=True)
    identity = max(audit.worst_identity for audit in audits)
    zero = max(audit.worst_sum for audit in audits)
    chances = sorted(
        (p, f"{rules.edition} {players} {kind}")
        for (rules, players), audit in zip(places, audits, strict=True)
        for kind, (_, _, p) in audit.chances().items()
    )
    least, where = chances[0]
    print(f"{len(audits)} tables, {number} games each: identity {identity:.1e}, sum {zero:.1e}")
    print(f"the least chance of {len(chances)} means: p = {least:.4f} ({where}),", end=" ")
    print(f"by Holm's correction {min(1, least * len(chances)):.2f}")


# ---- adjusted scores ----------------------------------------------------------------------------


def pairings(quick: int = 200, slow: int = 60, file: str = "pairings.jsonl") -> None:
    """How much of the variance of every pairing of the battery is left without luck.

    Blocks are kept in a file as they are played, and the next run goes on from there.
    """
    kept, pool = ArenaResults(file), new_pool(compiled=False, number=cores())
    above = 0
    for match in BATTERY:
        searching = {match.candidate.partition(":")[0], match.baseline.partition(":")[0]} & SLOW
        pairing = replace(match.pairing, luck=True)
        games = slow if searching else quick
        if not run([pairing], -(-games // pairing.players), kept, executor=pool):
            sys.exit("not finished; the next run goes on from here")
        blocks = kept.of(pairing)
        rng = np.random.default_rng(SEED)
        again = [rng.integers(len(blocks), size=len(blocks)) for _ in range(400)]
        left = adjusted(pairing, blocks)["variance_left"]
        lefts = sorted(
            adjusted(pairing, [blocks[i] for i in numbers])["variance_left"] for numbers in again
        )
        low, high = lefts[10], lefts[-11]
        above += low > 1
        name = f"{match.setting.name} {match.candidate} {match.baseline}"
        told = f"{len(blocks)} blocks, left {left:.2f} ({low:.2f} to {high:.2f})"
        print(f"{name}: {told}", flush=True)
    pool.shutdown()
    print(f"{len(BATTERY)} pairings, {above} with an interval above 1")


# ---- losses add up ------------------------------------------------------------------------------


def losses(number: int = 1000, file: str = "losses.jsonl") -> None:
    """What a candidate among networks lost, beside the sum of its decisions' losses.

    Games are appended to a file as they are judged, and the next run goes on from there.
    """
    path = Path(file)
    lines = path.read_text().splitlines() if path.exists() else []
    known = {tuple(key): found for key, *found in map(json.loads, lines)}
    for (name, rules, players), candidate in product(tables(), ("greedy", "steady")):
        if name not in JUDGED:
            continue
        games = []
        for game, seat in product(range(-(-number // players)), range(players)):
            key = name, candidate, seat, game
            if key not in known:
                known[key] = missed_and_lost(rules, players, candidate, seat, game)
                with path.open("a") as kept:
                    kept.write(json.dumps([key, *known[key]]) + "\n")
            games.append(known[key])
        missed, lost = (_mean(each) for each in zip(*games, strict=True))
        print(
            f"{name} {candidate}: {len(games)} games, score lost {missed}, losses {lost}",
            flush=True,
        )


def missed_and_lost(
    rules: Rules, players: int, candidate: str, seat: int, game: int
) -> tuple[float, float]:
    """How far a candidate's result is below an even share, and what its decisions cost it."""
    bots = [candidate if each == seat else "net" for each in range(players)]
    (record,) = Lineup(rules, tuple(bots), SEED + seat).play([game], record=True).records
    loser = record.result["loser"]
    kept = 1 - 1 / players if loser is None else float(loser != seat)
    lost = sum(
        decide(view, move, judge, FEW_WORLDS, 1).loss
        for view, move, judge in decisions([record])
        if view.seat == seat
    )
    return 1 - 1 / players - kept, lost


def _mean(values: Sequence[float]) -> str:
    half = 1.96 * np.std(values, ddof=1) / np.sqrt(len(values))
    return f"{np.mean(values):.3f} ± {half:.3f}"


# ---- decisions ----------------------------------------------------------------------------------


def decisions(records: Sequence[Record]) -> Iterator[tuple[View, Any, Judge]]:
    """Every decision with a choice, as its maker saw it, with the move made and the judge."""
    for record in records:
        players = len(record.players)
        judge = judge_for(record.rules, players, rollouts(players), seed=1)
        game = record.deal()
        for text in record.moves:
            assert game.actor is not None
            view = game.view(game.actor)
            move = next(each for each in view.legal if str(each) == text)
            if len(different(view)) > 1:
                yield view, move, judge
            game.push(move)


def hidden(number: int = 20) -> None:
    """Every hidden card permuted at every decision: the same losses and reasons, bit for bit."""
    compared = same = 0
    for _, rules, players in tables():
        records = play(rules, in_turn(players), number)
        for view, move, judge in decisions(records):
            state = new_states(view.rules)
            imagine(view.packed_rules, view.record, state, word(SEED, compared))
            assert view.seat is not None
            other = seen_by(state, view.seat, view.rules, view.players)
            first, second = (decide(each, move, judge, 20, 1) for each in (view, other))
            compared += 1
            same += first[:4] == second[:4] and contrasts(first.trials) == contrasts(second.trials)
    print(f"{same} of {compared} decisions the same")


def reasons(number: int = 1000) -> None:
    """Do the numbers told come out again in fresh worlds, and how often is there a reason?"""
    positions = told = numbers = again = 0
    for _, rules, players in tables():
        here = 0
        for view, move, judge in decisions(play(rules, in_turn(players), 2000 // players)):
            if here >= -(-number // len(tables())):
                break
            found = decide(view, move, judge, WORLDS, 1)
            if found.trials is None or found.loss - 1.96 * found.error < MISTAKE:
                continue
            positions += 1
            here += 1
            why = contrasts(found.trials)
            told += bool(why)
            pair = [found.best.number, found.made.number]
            fresh = trials(view, pair, judge, 4 * WORLDS, word(SEED, positions))
            for each in why:
                place = FACTS.index(each.fact)
                for row, said in ((0, each.best), (1, each.made)):
                    seen = fresh.facts[row, :, place]
                    before = found.trials.facts[row, :, place]
                    error = np.sqrt(seen.var() / len(seen) + before.var() / len(before))
                    # A rate of none or all in either sample has no spread to be judged by.
                    error = max(error, 1 / WORLDS)
                    numbers += 1
                    again += abs(seen.mean() - said) <= 3 * error
    print(f"{positions} positions with a margin of five points: a reason in {told / positions:.1%}")
    print(f"{again} of {numbers} numbers ({again / numbers:.2%}) within three standard errors")


# ---- time ---------------------------------------------------------------------------------------


def times(number: int = 100) -> None:
    """The longest of so many games of each table: what its ledger takes, and all of it.

    In seconds of one processor, which other programs on the machine do not lengthen by much.
    """
    two_decks = EDITIONS["classic"].replace(decks=2)
    larger = [(f"classic {n}, two decks", two_decks.for_table(n), n) for n in (8, 12)]
    for name, rules, players in [*tables(), *larger]:
        record = max(play(rules, in_turn(players), number), key=lambda each: len(each.moves))
        account(record)
        began = time.process_time()
        found = account(record)
        ledger = time.process_time() - began
        found.worlds = WORLDS
        judge_decisions(found)
        whole = time.process_time() - began
        print(
            f"{name}: {len(record.moves)} moves, ledger {ledger:.2f} s, all {whole:.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    proofs: dict[str, Any] = {
        each.__name__: each for each in (printed, house, pairings, losses, hidden, reasons, times)
    }
    proofs[sys.argv[1]](*(int(each) if each.isdigit() else each for each in sys.argv[2:]))

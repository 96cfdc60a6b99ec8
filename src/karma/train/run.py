"""A training run: a folder with a configuration, which a kill does not harm.

    config.toml      what is trained, and how
    checkpoint.npz   the learner as it was a moment ago: weights, optimiser, counts
    champion.npz     the best network so far, with champion.json about it
    older-*.npz      earlier networks, the league's opponents
    log.jsonl        a line for each test: samples, loss, strength

One thread generates games with the compiled core, which does not hold Python's lock, while this
one learns from the games before; or a Ray cluster generates them.
"""

from __future__ import annotations

import json
import shutil
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from karma.bots.chance import words as chance_words
from karma.bots.choice import FOLDER
from karma.bots.encoding import BITS
from karma.bots.network import Weights
from karma.bots.weights import load as load_weights
from karma.bots.weights import load_average, save, write
from karma.train.calibration import calibrate
from karma.train.config import Config, ConfigError, checkpoint_beside, load
from karma.train.generator import Chunk, make_chunk
from karma.train.learner import Learner
from karma.train.trial import challenge, measure

GAIN = 0.02  # a new champion is better by this much where two play
MAY_LOSE = 0.02  # and does not clearly lose more than this to any of the guards
SAVE_EVERY = 60  # seconds
TRIAL_SEED = 2**40  # deals that no training game has


class Pace:
    """How quickly a run has gone since its last test, and what took the time."""

    def __init__(self) -> None:
        self.decisions = self.games = 0
        self.playing = self.learning = 0.0  # seconds, of two threads at once
        self._begun = time.monotonic()

    def add(self, chunk: Chunk, learning: float) -> None:
        """Counts a chunk and the seconds that learning from it took."""
        self.decisions += len(chunk.words)
        self.games += chunk.games
        self.playing += chunk.seconds
        self.learning += learning

    def data(self) -> dict[str, float]:
        """Decisions and games a second; what share of the time was playing, and learning."""
        whole = time.monotonic() - self._begun
        return {
            "decisions": round(self.decisions / whole),
            "games": round(self.games / whole),
            "playing": round(self.playing / whole, 2),
            "learning": round(self.learning / whole, 2),
        }


class TrainingRun:
    """A run in its folder, from its last checkpoint on."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self.folder = folder
        self.say = say
        self.config: Config = load(folder / "config.toml")
        self.learner = Learner(self.config)
        self.chunks = self.samples = self.tests = 0
        self.seconds = 0.0
        self.losses: deque[float] = deque(maxlen=500)
        self.memory: deque[Chunk] = deque(maxlen=self.config.memory)
        self.stalled: deque[float] = deque(maxlen=20)
        self.members = [self._member(name) for name in self.config.league.members]
        self.rival: Weights | None = None
        if self.config.response_to:
            self.rival = load_weights(FOLDER / f"{self.config.response_to}.npz")
        if start := self.config.response_to or self.config.begin_as:
            self.learner.begin_as(load_weights(FOLDER / f"{start}.npz"))
        self._restore()

    # ---- files ----------------------------------------------------------------------------------

    def _restore(self) -> None:
        path = self.folder / "checkpoint.npz"
        if path.exists():
            with np.load(path) as arrays:
                self.learner.restore(arrays)
                self.chunks, self.samples, self.tests = arrays["counts"].tolist()
                self.seconds = float(arrays["seconds"])
            # A fresh clone has the champion in the package only.
            for end in (".npz", ".json"):
                here, packed = self.folder / f"champion{end}", FOLDER / f"{self.config.name}{end}"
                if packed.exists() and not here.exists():
                    shutil.copy(packed, here)
            self.say(f"goes on from {self.samples:,} samples, {self.seconds / 60:.0f} minutes")

    def save(self) -> None:
        """Writes the checkpoint; the file is whole at any moment."""
        counts = np.array([self.chunks, self.samples, self.tests])
        arrays = {"counts": counts, "seconds": np.array(self.seconds), **self.learner.state()}
        write(self.folder / "checkpoint.npz", arrays)

    @property
    def champion(self) -> Weights | None:
        """The best network so far."""
        path = self.folder / "champion.npz"
        return load_weights(path) if path.exists() else None

    def _crown(self, weights: Weights, line: dict[str, Any]) -> None:
        tables = self.config.test_tables
        honest = calibrate(tables, weights, self.config.calibrate_on // len(tables))
        save(self.folder / "champion.npz", honest)
        about = {"config": msgspec.to_builtins(self.config), "result": line}
        (self.folder / "champion.json").write_text(json.dumps(about, indent=1) + "\n")

    def _member(self, name: str) -> Weights:
        """A network that stays in the league."""
        packed, file = FOLDER / f"{name}.npz", self.folder / "config.toml"
        if packed.exists():
            member = load_weights(packed)
        else:
            member = load_average(checkpoint_beside(file, name))
        if len(member.first) != BITS * self.config.words:
            raise ConfigError(f"{file}: {name!r} does not see the same of a table as this network")
        return member

    def _older(self, number: int) -> Weights:
        """The rival; or a member or a snapshot in turn, and the learner itself at first."""
        if self.rival is not None:
            return self.rival
        paths = sorted(self.folder.glob("older-*.npz"))
        turn = number % max(1, len(self.members) + len(paths))
        if turn < len(self.members):
            return self.members[turn]
        return load_weights(paths[turn - len(self.members)]) if paths else self.learner.weights()

    # ---- learning -------------------------------------------------------------------------------

    def go(self, minutes: float, players: Executor | None = None, ahead: int = 2) -> None:
        """Generates, learns and tests for so many minutes; Ctrl-C keeps what there is.

        Games may be played elsewhere than in a thread of this process; `ahead` is how many chunks
        of them are under way, of which one is learned from.
        """
        begun, before = time.monotonic(), self.seconds
        saved = tested = begun
        pace = Pace()
        coming: deque[Future[Chunk]] = deque()
        try:
            with players or ThreadPoolExecutor(1) as pool:
                while True:
                    while len(coming) < ahead:
                        order = self._order(self.chunks + len(coming))
                        coming.append(pool.submit(make_chunk, *order))
                    chunk = coming.popleft().result()
                    received = time.monotonic()
                    self._learn(chunk)
                    pace.add(chunk, time.monotonic() - received)
                    now = time.monotonic()
                    self.seconds = before + now - begun
                    if now - begun > 60 * minutes:
                        break
                    if now - saved > SAVE_EVERY:
                        self.save()
                        saved = now
                    if now - tested > self.config.test_every:
                        self._test(pace)
                        tested = time.monotonic()
                        pace = Pace()
        except KeyboardInterrupt:
            self.say("stopped")
        else:
            self._test(pace)
        self.save()

    def _order(self, number: int) -> tuple[Config, int, Weights, Weights, float, bool]:
        """What a chunk is made from: the networks as they are now."""
        config = self.config
        first, last = config.explore
        progress = min(1.0, self.samples / config.explore_until)
        warm = self.samples < config.warm_start
        explore = first + (last - first) * progress
        return config, number, self.learner.weights(), self._older(number), explore, warm

    def _learn(self, chunk: Chunk) -> None:
        config = self.config
        self.memory.append(chunk)
        self.stalled.append(chunk.stalled / chunk.games)
        generator = np.random.default_rng(chance_words(config.seed, self.chunks, 1000))
        for _ in range(int(config.reuse * len(chunk.words) / config.batch)):
            part = self.memory[generator.integers(len(self.memory))]
            rows = generator.integers(len(part.words), size=config.batch)
            loss = self.learner.learn(part.words[rows], part.samples[rows], self.samples)
            self.losses.append(loss)
        self.chunks += 1
        self.samples += len(chunk.words)

    # ---- testing --------------------------------------------------------------------------------

    def _test(self, pace: Pace) -> None:
        """Measures the learner against the guards and the champion, and writes a line about it."""
        config = self.config
        weights = self.learner.weights()
        weights = Weights(*(array.astype(np.float16).astype(np.float32) for array in weights))
        line: dict[str, Any] = {
            "minutes": round(self.seconds / 60, 1),
            "samples": self.samples,
            "loss": round(float(np.mean(self.losses or [0])), 4),
            "stalled": round(float(np.mean(self.stalled or [0])), 3),
            "pace": pace.data(),
            "guards": {},
        }
        for table in config.test_tables:
            guards: dict[str, str | Weights] = {guard: guard for guard in config.guards}
            if self.rival is not None:
                guards["rival"] = self.rival
            for guard, opponent in guards.items():
                score = measure(table, weights, opponent, config.guard_blocks, TRIAL_SEED)
                name = f"{table} {guard}"
                line["guards"][name] = [round(score.share, 4), round(1.96 * score.error, 4)]
        champion = self.champion
        if champion is None:
            line["accepted"] = True
        else:
            seed = TRIAL_SEED + 1000 * (self.tests + 1)
            verdict = challenge(
                config.test_tables, weights, champion, config.test_blocks, GAIN, seed
            )
            score = verdict.score
            line["champion"] = [round(score.share, 4), round(1.96 * score.error, 4), score.blocks]
            line["champion_stalled"] = round(score.stalled, 3)
            line["accepted"] = verdict.better and self._guards_hold(line["guards"])
        if line["accepted"]:
            self._crown(weights, line)
        save(self.folder / f"older-{self.tests % config.snapshots}.npz", weights)
        self.tests += 1
        self.save()
        with (self.folder / "log.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")
        self.say(_sentence(line))

    def _guards_hold(self, guards: dict[str, list[float]]) -> bool:
        about = json.loads((self.folder / "champion.json").read_text())
        before = about["result"]["guards"]
        return all(
            share + error >= before[name][0] - MAY_LOSE
            for name, (share, error) in guards.items()
            if name in before
        )


def _sentence(line: dict[str, Any]) -> str:
    guards = ", ".join(f"{name} {share[0]:.1%}" for name, share in line["guards"].items())
    text = f"{line['minutes']:6.1f} min {line['samples']:>11,} samples  loss {line['loss']:.4f}"
    pace = line["pace"]
    text += f"  {pace['decisions']:,} decisions and {pace['games']:,} games a second"
    text += f" (playing {pace['playing']:.0%}, learning {pace['learning']:.0%} of the time)"
    text += f"  stalled {line['stalled']:.1%}  {guards}"
    if "champion" in line:
        text += f"  champion {line['champion'][0]:.1%} ± {line['champion'][1]:.1%}"
    return text + ("  accepted" if line["accepted"] else "")

"""Steps a second beside other people's card games, in one run, on one core.

Every row makes random legal moves, and writes down an observation and the legal actions after each:
what a learner needs. The time is that of the processor, so that other programs on the machine do
not count; games that end are begun again within it. `make peers` installs the peers into an
environment of their own, runs this, and puts the table and the picture into docs/learning.md.
"""

import argparse
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"

import numpy as np

ROOT = Path(__file__).parent.parent.parent
Step = Callable[[], int]  # does some steps, and says how many
RNG = np.random.default_rng(1)


def rate(step: Step, seconds: float) -> float:
    """Steps a second of processor time; the first calls only warm up."""
    for _ in range(3):
        step()
    steps, began = 0, time.process_time()
    while (passed := time.process_time() - began) < seconds:
        steps += step()
    return steps / passed


# ---- Karma --------------------------------------------------------------------------------------


def playouts() -> Step:
    import karma
    from karma.bench import playouts
    from karma.bots.chance import words
    from karma.packing import new_states

    states, rng = new_states(karma.CLASSIC), words(1, 4)
    return lambda: playouts(karma.CLASSIC.packed, states, 4, 500, rng, 3000)


def batch(edition: str, players: int) -> Step:
    from karma.rl.vector import VectorKarma

    games = VectorKarma(1024, edition=edition, players=players, opponents="random", threads=1)
    games.reset(seed=1)
    masks = games.buffers.masks.view(np.uint8)

    def step() -> int:
        noise = np.frombuffer(RNG.bytes(masks.size), np.uint8).reshape(masks.shape)
        games.step_into(((noise | 1) * masks).argmax(1), games.buffers)
        return games.num_envs

    return step


def agents(environment: Any) -> Step:
    """An environment of PettingZoo's."""
    environment.reset(seed=1)

    def step() -> int:
        for i in range(100):
            observation, _, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                environment.reset()
                return i
            legal = observation["action_mask"].nonzero()[0]
            environment.step(int(legal[int(RNG.random() * len(legal))]))
        return 100

    return step


def spiel(text: str) -> Step:
    import pyspiel

    if "karma" in text:
        import karma.rl.openspiel  # noqa: F401 - registers the game
    game = pyspiel.load_game(text)

    def step() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            if not state.is_chance_node():
                state.observation_tensor(state.current_player())
                steps += 1
            state.apply_action(legal[int(RNG.random() * len(legal))])
        return steps

    return step


def our_agents() -> Step:
    from karma.rl import pettingzoo

    return agents(pettingzoo.env(edition="mini", players=2))


def our_gymnasium() -> Step:
    import gymnasium

    import karma.rl  # noqa: F401 - registers the environments

    environment = gymnasium.make("karma/Mini-v1", opponents="greedy", disable_env_checker=True)
    _, info = environment.reset(seed=1)
    mask = info["action_mask"]

    def step() -> int:
        nonlocal mask
        for _ in range(100):
            legal = mask.nonzero()[0]
            action = int(legal[int(RNG.random() * len(legal))])
            _, _, terminated, truncated, info = environment.step(action)
            if terminated or truncated:
                _, info = environment.reset()
            mask = info["action_mask"]
        return 100

    return step


# ---- others -------------------------------------------------------------------------------------


def their_agents(name: str) -> Step:
    from importlib import import_module

    return agents(import_module(f"pettingzoo.classic.{name}").env())


def rlcard(name: str) -> Step:
    import rlcard

    environment = rlcard.make(name)

    def step() -> int:
        state, _ = environment.reset()
        steps = 0
        while not environment.is_over():
            legal = list(state["legal_actions"])
            state, _ = environment.step(legal[int(RNG.random() * len(legal))])
            steps += 1
        return steps

    return step


def pgx(name: str) -> Step:
    import jax
    import jax.numpy as jnp
    import pgx

    environment, games = pgx.make(name), 1024
    begin = jax.jit(jax.vmap(environment.init))

    def one(state: Any, key: Any) -> Any:
        choosing, dealing = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        after = environment.step(state, jax.random.categorical(choosing, logits))
        over = after.terminated | after.truncated
        fresh = environment.init(dealing)
        return jax.tree_util.tree_map(lambda a, b: jnp.where(over, a, b), fresh, after)

    forward = jax.jit(jax.vmap(one))
    state = begin(jax.random.split(jax.random.PRNGKey(1), games))
    key = jax.random.PRNGKey(2)

    def step() -> int:
        nonlocal state, key
        key, now = jax.random.split(key)
        state = forward(state, jax.random.split(now, games))
        state.observation.block_until_ready()
        return games

    return step


ROWS: tuple[tuple[str, str, Callable[[], Step]], ...] = (
    ("Karma, core", "classic, 4 players, compiled playouts without observations", playouts),
    ("Karma, VectorKarma", "mini, 2 players, the learner's decisions", lambda: batch("mini", 2)),
    ("Karma, VectorKarma", "classic, 4 players", lambda: batch("classic", 4)),
    ("Karma, PettingZoo", "mini, 2 players", our_agents),
    ("Karma, Gymnasium", "mini, against greedy", our_gymnasium),
    ("Karma, OpenSpiel", "mini, 2 players, in Python", lambda: spiel("python_karma")),
    ("OpenSpiel", "crazy_eights, from Python", lambda: spiel("crazy_eights(players=2)")),
    ("PettingZoo", "leduc_holdem_v4", lambda: their_agents("leduc_holdem_v4")),
    ("PettingZoo", "texas_holdem_v4", lambda: their_agents("texas_holdem_v4")),
    (
        "PettingZoo",
        "texas_holdem_no_limit_v6",
        lambda: their_agents("texas_holdem_no_limit_v6"),
    ),
    ("PettingZoo", "hanabi_v5", lambda: their_agents("hanabi_v5")),
    ("RLCard", "uno", lambda: rlcard("uno")),
    ("Pgx", "sparrow_mahjong, 1,024 games, CPU", lambda: pgx("sparrow_mahjong")),
)


def measured(seconds: float) -> Iterator[tuple[str, str, float]]:
    for library, game, make in ROWS:
        yield library, game, rate(make(), seconds)


def draw(rows: list[tuple[str, str, float]], path: Path) -> None:
    """Bars on a logarithmic axis, ours in another colour."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    names = [f"{library}: {game.split(', compiled')[0]}" for library, game, _ in rows]
    colours = ["#1f5442" if name.startswith("Karma") else "#9aa0a6" for name in names]
    axes.barh(names[::-1], [value for *_, value in rows][::-1], color=colours[::-1])
    axes.set(xscale="log", xlabel="steps a second of processor time, one core")
    figure.savefig(path, dpi=110, bbox_inches="tight")


def main() -> None:
    """Measures, prints, and writes the page's table and picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="of processor time for each row")
    parser.add_argument("--write", action="store_true", help="into docs/learning.md")
    arguments = parser.parse_args()
    rows = []
    for library, game, value in measured(arguments.seconds):
        print(f"{library:20} {game:60} {value:14,.0f}", flush=True)
        rows.append((library, game, value))
    if arguments.write:
        lines = [f"| {library} | {game} | {value:,.0f} |" for library, game, value in rows]
        table = "\n".join(["| interface | game | steps/s |", "|---|---|---:|", *lines])
        page = ROOT / "docs/learning.md"
        between = re.compile(r"(<!-- peers -->\n).*?(\n<!-- end -->)", re.DOTALL)
        page.write_text(between.sub(lambda m: m[1] + table + m[2], page.read_text()))
        draw(rows, ROOT / "docs/pictures/peers.png")


if __name__ == "__main__":
    main()

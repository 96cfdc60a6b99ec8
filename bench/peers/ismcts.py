"""OpenSpiel's ISMCTS against ours, at the same number of simulations: mini for two.

.peers/bin/python bench/peers/ismcts.py --simulations 30 --decks 20
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import karma
import karma.rl.openspiel


def search(game, simulations: int, seed: int):
    """OpenSpiel's search as it comes: random rollouts, the exploration of its own examples."""
    rng = np.random.RandomState(seed)
    return ismcts.ISMCTSBot(
        game=game,
        uct_c=2.0,
        max_simulations=simulations,
        evaluator=mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=rng),
        random_state=rng,
        max_world_samples=ismcts.UNLIMITED_NUM_WORLD_SAMPLES,
    )


def main() -> None:
    """Plays every deck from both seats, and prints the share that ours did not lose."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=30)
    parser.add_argument("--decks", type=int, default=20)
    arguments = parser.parse_args()
    game = pyspiel.load_game("python_karma")
    rng, score, played = np.random.default_rng(2026), 0.0, 0
    for deck in range(arguments.decks):
        draws = rng.integers(karma.rl.openspiel.OUTCOMES, size=karma.rl.openspiel.DRAWS).tolist()
        for seat in range(2):
            theirs = search(game, arguments.simulations, seed=deck)
            ours = karma.make_bot(f"sharp:rollouts={arguments.simulations}", seed=deck)
            state = game.new_initial_state()
            for draw in draws:
                state.apply_action(draw)
            while not state.is_terminal():
                player = state.current_player()
                if player == seat:
                    state.apply_action(ours.choose(state.view(player)).number)
                else:
                    state.apply_action(theirs.step(state))
            score += (state.returns()[seat] + 1) / 2
            played += 1
            print(f"{100 * score / played:.1f} % of {played} games not lost", flush=True)


if __name__ == "__main__":
    main()

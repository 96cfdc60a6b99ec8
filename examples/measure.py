"""How strong is what was learned? Games against greedy, both seats in turn, each deck twice.

python examples/measure.py                # reads learned.npz
"""

import argparse

from learned import Learned

import karma


def loses(bots, seed):
    """The seat that loses the game with a seed; None if it stalls."""
    game = karma.Game(karma.edition("mini", stall_limit=80), players=2, seed=seed)
    while not game.over:
        game.push(bots[game.actor].choose(game.view(game.actor)))
    return game.outcome.loser


def main() -> None:
    """Plays and prints the share not lost; a game without a loser counts half."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decks", type=int, default=1000)
    decks = parser.parse_args().decks
    learned, greedy = Learned(), karma.make_bot("greedy")
    score = 0.0
    for seed in range(10**6, 10**6 + decks):  # decks that training has hardly seen
        for seat, bots in ((0, (learned, greedy)), (1, (greedy, learned))):
            loser = loses(bots, seed)
            score += 0.5 if loser is None else float(loser != seat)
    print(f"{100 * score / (2 * decks):.1f} % of {2 * decks} games not lost against greedy")


if __name__ == "__main__":
    main()

"""A bot that plays what ppo.py or maskable_ppo.py has learned: NumPy and the file of weights.

    karma arena ./examples/learned.py:Learned greedy --edition mini
    karma play --edition mini --bots ./examples/learned.py:Learned

The file is learned.npz in the current folder, or what LEARNED names.
"""

import os

import numpy as np

from karma import Game, Move, View
from karma.rl.observation import observe


def scaled(observation):
    """Counts as the network takes them: the difference of 20 and 21 cards is a small one."""
    return np.log1p(observation.astype(np.float32))


class Learned:
    """The action that the policy likes best, of the legal ones."""

    name = "learned"

    def __init__(self, name: str = "learned", *, seed: int = 0) -> None:
        with np.load(os.environ.get("LEARNED", "learned.npz")) as file:
            self.layers = [(file[f"weight_{i}"], file[f"bias_{i}"]) for i in range(3)]
        observe(Game("mini").view(0))  # compiled now, and not in the time of the first decision

    def choose(self, view: View) -> Move:
        observation, mask = observe(view)
        units = scaled(observation)
        for weight, bias in self.layers[:-1]:
            units = np.maximum(weight @ units + bias, 0)
        weight, bias = self.layers[-1]
        return Move(int(np.argmax(np.where(mask, weight @ units + bias, -np.inf))))

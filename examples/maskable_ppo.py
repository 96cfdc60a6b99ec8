"""Stable-Baselines3's MaskablePPO (sb3-contrib) on the Gymnasium environment of one seat.

python examples/maskable_ppo.py           # learned.npz, after some minutes
karma arena ./examples/learned.py:Learned greedy --edition mini
"""

import argparse

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env
from torch import nn

import karma.rl  # noqa: F401 - registers the environments


def make():
    """The environment, with its counts as learned.py scales them."""
    environment = gymnasium.make("karma/Mini-v1", opponents="greedy", disable_env_checker=True)
    space = Box(0, 5, environment.observation_space.shape, np.float32)
    return Scaled(environment, lambda row: np.log1p(row.astype(np.float32)), space)


class Scaled(gymnasium.wrappers.TransformObservation):
    """Scaled observations; the masks are the environment's."""

    def action_masks(self):
        return self.unwrapped.action_masks()


def save(model, path):
    """The actor's layers, as learned.py reads them."""
    body, layers = model.policy.mlp_extractor.policy_net, {}
    for i, layer in enumerate((body[0], body[2], model.policy.action_net)):
        layers[f"weight_{i}"] = layer.weight.detach().numpy()
        layers[f"bias_{i}"] = layer.bias.detach().numpy()
    np.savez(path, **layers)


def main() -> None:
    """Trains for so many decisions, and writes the weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decisions", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="learned", help="writes OUT.npz")
    arguments = parser.parse_args()
    model = MaskablePPO(
        "MlpPolicy",
        make_vec_env(make, n_envs=16, seed=arguments.seed),
        n_steps=256,
        batch_size=1024,
        n_epochs=4,
        gamma=0.999,
        ent_coef=0.01,
        learning_rate=lambda left: 1e-3 * left,
        policy_kwargs={"net_arch": [256, 128], "activation_fn": nn.ReLU},
        seed=arguments.seed,
        verbose=1,
        device="cpu",
    )
    model.learn(arguments.decisions)
    save(model, f"{arguments.out}.npz")


if __name__ == "__main__":
    main()

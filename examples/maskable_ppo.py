"""MaskablePPO of sb3-contrib (Stable-Baselines3) on the batch of games, against greedy at mini.

python examples/maskable_ppo.py           # learned.npz, after some minutes
karma arena ./examples/learned.py:Learned greedy --edition mini
"""

import argparse

import numpy as np
import torch
from gymnasium.spaces import Box
from ppo import DISCOUNT, promise_of
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from karma.rl.vector import VectorKarma


class Games(VecEnv):
    """VectorKarma in the shape that Stable-Baselines3 knows, scaled as learned.py scales."""

    def __init__(self, number: int, seed: int) -> None:
        self.batch, self.seed_of_all, self.render_mode = VectorKarma(number), seed, None
        space = Box(0, 5, self.batch.single_observation_space.shape, np.float32)
        super().__init__(number, space, self.batch.single_action_space)

    def reset(self):
        observations, infos = self.batch.reset(seed=self.seed_of_all)
        self.masks, self.promise = infos["action_mask"], promise_of(observations).numpy()
        return np.log1p(observations, dtype=np.float32)

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, over, cut_short, infos = self.batch.step(self.actions)
        self.masks, ended, told = infos["action_mask"], over | cut_short, [{} for _ in over]
        for game in ended.nonzero()[0]:
            last = np.log1p(infos["final_obs"][game], dtype=np.float32)
            told[game] = {"terminal_observation": last, "episode": {"r": rewards[game], "l": 0}}
        before, self.promise = self.promise, promise_of(observations).numpy()
        shaped = rewards + DISCOUNT * self.promise * ~ended - before
        return np.log1p(observations, dtype=np.float32), shaped, ended, told

    def env_method(self, method_name, *arguments, indices=None, **options):
        return list(self.masks)  # the one method that is asked for: action_masks

    def get_attr(self, attr_name, indices=None):
        return [self.masks if attr_name == "action_masks" else getattr(self, attr_name)]

    def set_attr(self, attr_name, value, indices=None):
        raise NotImplementedError

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False] * self.num_envs

    def close(self):
        self.batch.close()


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
    parser.add_argument("--decisions", type=int, default=4_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="learned", help="writes OUT.npz")
    arguments = parser.parse_args()
    torch.set_num_threads(1)  # in a network this small, two threads wait for one another
    model = MaskablePPO(
        "MlpPolicy",
        Games(512, arguments.seed),
        n_steps=64,
        batch_size=2048,
        n_epochs=2,
        gamma=DISCOUNT,
        ent_coef=0.01,
        learning_rate=lambda left: 1e-3 * left,
        policy_kwargs={"net_arch": [192, 64], "activation_fn": nn.ReLU},
        seed=arguments.seed,
        verbose=1,
        device="cpu",
    )
    model.learn(arguments.decisions)
    save(model, f"{arguments.out}.npz")


if __name__ == "__main__":
    main()

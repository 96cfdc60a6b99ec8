"""Proximal policy optimization in one file, against greedy at mini for two.

    python examples/ppo.py     # learned.npz and learned.png, after some minutes or after Ctrl-C
    karma arena ./examples/learned.py:Learned greedy --edition mini

The batch of games steps in compiled code and writes into the arrays that the learner trains on.
"""

import argparse
import time
from contextlib import suppress

import matplotlib
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from karma.rl.observation import parts
from karma.rl.vector import Buffers, VectorKarma

GAMES, STEPS = 512, 64  # of a round: so many games, so many decisions in each
EPOCHS, BATCH = 2, 2048
RATE, CLIP, ENTROPY = 1e-3, 0.2, 0.01
DISCOUNT, TRACE = 0.999, 0.95
SHAPING = 0.02  # what a card more in the others' hands than in one's own is worth on the way


class Policy(nn.Module):
    """Two layers that actor and critic share."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(size, 192), nn.ReLU(), nn.Linear(192, 64), nn.ReLU())
        self.actor = nn.Linear(64, actions)
        self.critic = nn.Linear(64, 1)
        nn.init.zeros_(self.actor.weight)

    def forward(self, observations, masks):
        units = self.body(torch.log1p(observations.float()))
        logits = self.actor(units).masked_fill(masks == 0, -1e9)
        return logits, self.critic(units).squeeze(-1)


class Round:
    """The learner's own arrays: a row for each step, one more for what comes after the last."""

    def __init__(self, size: int, actions: int) -> None:
        self.observations = np.zeros((STEPS + 1, GAMES, size), np.int8)
        self.masks = np.zeros((STEPS + 1, GAMES, actions), np.int8)
        self.rewards = np.zeros((STEPS + 1, GAMES), np.float32)
        self.ended = np.zeros((STEPS + 1, GAMES), np.bool_)
        self.cut_short = np.zeros((STEPS + 1, GAMES), np.bool_)
        self.last = np.zeros((GAMES, size), np.int8)

    def row(self, step: int) -> Buffers:
        """Where the games write after a step."""
        rows = (self.observations, self.masks, self.rewards, self.ended, self.cut_short)
        return Buffers(*(array[step] for array in rows), self.last)


def play(policy, games, story):
    """Plays a round; returns the actions, their log-probabilities, and the values."""
    actions = torch.zeros(STEPS, GAMES, dtype=torch.int64)
    chances, values = torch.zeros(STEPS, GAMES), torch.zeros(STEPS + 1, GAMES)
    with torch.inference_mode():
        for step in range(STEPS):
            row = torch.from_numpy(story.observations[step])
            logits, values[step] = policy(row, torch.from_numpy(story.masks[step]))
            distribution = torch.distributions.Categorical(logits=logits, validate_args=False)
            actions[step] = distribution.sample()
            chances[step] = distribution.log_prob(actions[step])
            games.step_into(actions[step].numpy(), story.row(step + 1))
        after = (story.observations[STEPS], story.masks[STEPS])
        values[STEPS] = policy(*map(torch.from_numpy, after))[1]
    return actions, chances, values


def promise_of(observations):
    """How well a game stands: by how many cards the other has more.

    Its difference from step to step is added to the rewards, since the end of a game is far away.
    Such differences add up to nothing over a game, so what is best to play stays the same.
    """
    cards = 0
    for name in ("hand_sizes", "face_up", "hidden_face_up", "face_down"):
        part = parts(players=2)[name].of(observations)
        cards = cards + part.reshape(*observations.shape[:-1], 2, -1).sum(-1, dtype=np.int32)
    return torch.from_numpy(SHAPING * (cards[..., 1] - cards[..., 0])).float()


def advantages_of(story, values):
    """Generalized advantage estimates; a game that is over is worth nothing more."""
    going_on = 1 - torch.from_numpy(story.ended[1:] | story.cut_short[1:]).float()
    promise = promise_of(story.observations)
    rewards = torch.from_numpy(story.rewards[1:])
    rewards = rewards + DISCOUNT * promise[1:] * going_on - promise[:-1]
    advantages, trace = torch.zeros(STEPS, GAMES), torch.zeros(GAMES)
    for step in reversed(range(STEPS)):
        surprise = rewards[step] + DISCOUNT * values[step + 1] * going_on[step] - values[step]
        trace = surprise + DISCOUNT * TRACE * going_on[step] * trace
        advantages[step] = trace
    return advantages


def learn(policy, optimizer, story, actions, chances, values):
    """Some epochs over a round."""
    advantages = advantages_of(story, values)
    targets = (advantages + values[:-1]).flatten()
    advantages = advantages.flatten()
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    observations = torch.from_numpy(story.observations[:-1]).flatten(0, 1)
    masks = torch.from_numpy(story.masks[:-1]).flatten(0, 1)
    actions, chances = actions.flatten(), chances.flatten()
    for _ in range(EPOCHS):
        for part in torch.randperm(STEPS * GAMES).split(BATCH):
            logits, value = policy(observations[part], masks[part])
            distribution = torch.distributions.Categorical(logits=logits, validate_args=False)
            ratio = (distribution.log_prob(actions[part]) - chances[part]).exp()
            gain = torch.min(
                ratio * advantages[part], ratio.clamp(1 - CLIP, 1 + CLIP) * advantages[part]
            ).mean()
            loss = functional.mse_loss(value, targets[part]) / 2
            optimizer.zero_grad()
            (loss - gain - ENTROPY * distribution.entropy().mean()).backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()


def save(policy, path):
    """The actor's layers, as learned.py reads them."""
    layers = {}
    for i, layer in enumerate((policy.body[0], policy.body[2], policy.actor)):
        layers[f"weight_{i}"] = layer.weight.detach().numpy()
        layers[f"bias_{i}"] = layer.bias.detach().numpy()
    np.savez(path, **layers)


def draw(curve, path):
    """The share of games not lost, over the decisions made so far."""
    matplotlib.use("agg")
    from matplotlib import pyplot

    decisions, shares = zip(*curve, strict=True)
    figure, axes = pyplot.subplots(figsize=(7, 4))
    axes.plot(decisions, shares)
    axes.axhline(0.5, color="grey", linewidth=1)
    axes.set(xlabel="million decisions", ylabel="share not lost against greedy", ylim=(0, 1))
    figure.savefig(path, dpi=110, bbox_inches="tight")


def main() -> None:
    """Trains for so many rounds, and writes the weights and the picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=150, help="of 32,768 decisions each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="learned", help="writes OUT.npz and OUT.png")
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)  # in a network this small, two threads wait for one another
    games = VectorKarma(GAMES, edition="mini", opponents="greedy")
    size, actions = games.single_observation_space.shape[0], int(games.single_action_space.n)
    policy, story = Policy(size, actions), Round(size, actions)
    optimizer = torch.optim.Adam(policy.parameters(), lr=RATE)
    games.reset_into(story.row(0), seed=arguments.seed)
    began, curve = time.perf_counter(), []
    with suppress(KeyboardInterrupt):  # what has been learned by then is kept
        for number in range(1, arguments.rounds + 1):
            for group in optimizer.param_groups:
                group["lr"] = RATE * (1 - (number - 1) / arguments.rounds)
            learn(policy, optimizer, story, *play(policy, games, story))
            over = story.ended[1:]
            share = float((story.rewards[1:][over] > 0).mean())
            curve.append((number * STEPS * GAMES / 1e6, share))
            story.observations[0], story.masks[0] = story.observations[-1], story.masks[-1]
            passed = time.perf_counter() - began
            told = f"{100 * share:.1f} % of {over.sum()} games not lost"
            print(f"round {number}, {passed:.0f} s: {told}", flush=True)
    save(policy, f"{arguments.out}.npz")
    draw(curve, f"{arguments.out}.png")


if __name__ == "__main__":
    main()

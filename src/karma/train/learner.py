"""The part that learns: the network in torch, its optimiser, and their way to and from arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from karma.bots.encoding import BITS
from karma.bots.network import KEEPS, PLACES, WORTH, Weights
from karma.bots.weights import of_parameters
from karma.train.config import Config
from karma.train.sparse import add_all, share_out

Arrays = dict[str, Any]
KEEPS_SHARE, PLACES_SHARE = 0.25, 0.25  # of the loss, beside the worth


class RowSums(torch.autograd.Function):
    """Sums of rows, and the way back: nine of ten bits are zero, which a dense product ignores."""

    @staticmethod
    def forward(context: Any, words: Any, rows: Any, bias: Any) -> Any:
        context.save_for_backward(words)
        context.rows = len(rows)
        sums = torch.empty(len(words), len(bias))
        add_all(words.numpy(), rows.detach().numpy(), bias.detach().numpy(), sums.numpy())
        return sums

    @staticmethod
    def backward(context: Any, *slopes: Any) -> Any:
        (words,) = context.saved_tensors
        slope = slopes[0].contiguous()
        rows = torch.zeros(context.rows, slope.shape[1])
        share_out(words.numpy(), slope.numpy(), rows.numpy())
        return None, rows, slope.sum(0)


class FirstLayer(nn.Module):
    """The first layer: a row of weights for every bit of the words."""

    def __init__(self, rows: int, units: int) -> None:
        super().__init__()
        self.rows = nn.Parameter(0.1 * torch.randn(rows, units))
        self.bias = nn.Parameter(torch.zeros(units))

    def forward(self, words: Any) -> Any:
        """The sums of the rows of each position."""
        return RowSums.apply(words, self.rows, self.bias)


class Learner:
    """A network that learns from batches, and the running average of it, which plays."""

    def __init__(self, config: Config) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(config.seed)
        self.config = config
        most = config.most_players
        self.heads = PLACES + (most if most > 2 else 0)
        one, two = config.units
        self.layers = nn.Sequential(
            FirstLayer(BITS * config.words, one),
            nn.ReLU(),
            nn.Linear(one, two),
            nn.ReLU(),
            nn.Linear(two, self.heads),
        )
        self.optimiser = torch.optim.Adam(self.layers.parameters(), lr=config.rate[0])
        self.averages = [p.detach().clone() for p in self.layers.parameters()]
        self.steps = 0

    def learn(self, words: Any, samples: Any, samples_so_far: int) -> float:
        """One step on a batch; returns its loss."""
        config = self.config
        rate = max(config.rate[1], config.rate[0] / (1 + samples_so_far / config.rate_half))
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        said = self.layers(torch.from_numpy(words))
        worth, keeps, place = (
            torch.from_numpy(np.ascontiguousarray(samples[name]))
            for name in ("worth", "keeps", "place")
        )
        main = binary_cross_entropy_with_logits(said[:, WORTH], worth)
        loss = main + KEEPS_SHARE * binary_cross_entropy_with_logits(said[:, KEEPS], keeps)
        if self.heads > PLACES:
            loss = loss + PLACES_SHARE * cross_entropy(
                said[:, PLACES:], place.long(), ignore_index=-1
            )
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        self.steps += 1
        # The average forgets its beginning faster than its end.
        keep = min(config.average, self.steps / (self.steps + 10))
        with torch.no_grad():
            for average, parameter in zip(self.averages, self.layers.parameters(), strict=True):
                average.lerp_(parameter, 1 - keep)
        return float(main.detach())

    def weights(self) -> Weights:
        """The average, as the playing code takes it."""
        return of_parameters([average.numpy().copy() for average in self.averages])

    def begin_as(self, weights: Weights) -> None:
        """Starts as a network that was trained before; a smaller one is the front part of it.

        Rows that it does not have begin at nought. Units that it does not have listen at random
        and are not heard yet, so that they can learn.
        """
        arrays = [array if i != 2 else array.T for i, array in enumerate(weights)]
        rows, units = arrays[0].shape
        with torch.no_grad():
            for i, parameter in enumerate(self.layers.parameters()):
                array = arrays[i]
                if i == 0:
                    parameter[rows:, :units] = 0
                elif i > 1:
                    parameter.zero_()
                front = tuple(map(slice, array.shape))
                parameter[front] = torch.from_numpy(np.ascontiguousarray(array))
                self.averages[i].copy_(parameter)

    def state(self) -> Arrays:
        """Everything that is needed to go on, as small arrays.

        Half precision is enough: what it rounds away is less than a step of learning moves. Of
        the optimiser only the sizes of the slopes are kept, as parts of the largest (squared,
        they would vanish); their means go back no further than ten steps, and come by themselves.
        """
        arrays: Arrays = {"steps": np.array(self.steps)}
        for i, parameter in enumerate(self.layers.parameters()):
            arrays[f"weights{i}"] = parameter.detach().numpy().astype(np.float16)
            arrays[f"average{i}"] = self.averages[i].numpy().astype(np.float16)
            memory = self.optimiser.state.get(parameter)
            if memory:
                sizes = np.sqrt(memory["exp_avg_sq"].numpy())
                arrays[f"largest{i}"] = np.maximum(sizes.max(), np.float32(1e-12))
                arrays[f"sizes{i}"] = (sizes / arrays[f"largest{i}"]).astype(np.float16)
        return arrays

    def restore(self, arrays: Any) -> None:
        """Goes back to what `state` gave."""
        self.steps = int(arrays["steps"])
        with torch.no_grad():
            for i, parameter in enumerate(self.layers.parameters()):
                parameter.copy_(torch.from_numpy(arrays[f"weights{i}"]))
                self.averages[i].copy_(torch.from_numpy(arrays[f"average{i}"]))
                if f"sizes{i}" in arrays:
                    sizes = arrays[f"sizes{i}"].astype(np.float32) * arrays[f"largest{i}"]
                    self.optimiser.state[parameter] = {
                        "step": torch.tensor(float(self.steps)),
                        "exp_avg": torch.zeros_like(parameter),
                        "exp_avg_sq": torch.from_numpy(sizes**2),
                    }

"""Networks as files: float16 arrays, with a word on where they come from beside them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from karma.bots.network import Weights


def save(path: Path, weights: Weights) -> None:
    """Writes a network; the file is whole or not there at all."""
    write(path, {k: v.astype(np.float16) for k, v in weights._asdict().items()})


def write(path: Path, arrays: dict[str, Any]) -> None:
    """Writes arrays to a file that is whole or not there at all."""
    draft = path.with_suffix(".draft")
    with draft.open("wb") as file:
        np.savez_compressed(file, **arrays)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def load(path: Path) -> Weights:
    """Reads a network."""
    with np.load(path) as arrays:
        return Weights(*(arrays[name].astype(np.float32) for name in Weights._fields))


def load_average(checkpoint: Path) -> Weights:
    """The network that plays for a training run, as it stands."""
    with np.load(checkpoint) as arrays:
        fields = range(len(Weights._fields))
        return of_parameters([arrays[f"average{i}"].astype(np.float32) for i in fields])


def of_parameters(parameters: list[Any]) -> Weights:
    """A network as it plays, from what is learned: there its second layer lies on its side."""
    first, first_bias, second, *others = parameters
    return Weights(first, first_bias, np.ascontiguousarray(second.T), *others)

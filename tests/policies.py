"""Policies of the examples that have learned nothing yet: their files, for tests."""

from pathlib import Path

import numpy as np

LAYERS = ((192, 282), (64, 192), (98, 64))  # of mini for two: units, and what each is given


def write_untrained(path: Path) -> None:
    """Writes weights drawn at random, as examples/learned.py reads them."""
    rng, layers = np.random.default_rng(1), {}
    for i, (units, inputs) in enumerate(LAYERS):
        layers[f"weight_{i}"] = rng.normal(size=(units, inputs)).astype(np.float32)
        layers[f"bias_{i}"] = np.zeros(units, np.float32)
    np.savez(path, **layers)

"""Values a state by small networks in numpy: how many shots miss from here on."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bots.tactics.posterior.board_placements import Floats
from bots.tactics.value.features import Features

Weights = npt.NDArray[np.floating[Any]]

VERSION = 4  # of all luck depends on: weights, features, tilts, and how layouts are drawn
FARTHEST = 5.0  # standard deviations from the mean at which features are cut off


class Network(NamedTuple):
    """The mean of some networks with rectified units."""

    mean: Weights  # of each feature, over the states of the training
    scale: Weights  # the standard deviation of each
    weights: Sequence[Weights]  # of each layer, (networks, inputs, units)
    biases: Sequence[Weights]  # (networks, units)

    def misses(self, features: Features) -> Floats:
        """Return how many shots are expected to miss after each of some answers."""
        layer: Weights = standardised(features, self.mean, self.scale)
        for weights, biases in zip(self.weights[:-1], self.biases[:-1], strict=True):
            layer = layer @ weights
            layer += biases[:, None]
            np.maximum(layer, 0, out=layer)
        each = layer @ self.weights[-1] + self.biases[-1][:, None]
        return np.asarray(each.mean(axis=0)[:, 0], float)


def standardised(features: Features, mean: Weights, scale: Weights) -> Features:
    """Return features as the first layer takes them."""
    return np.asarray(np.clip((features - mean) / scale, -FARTHEST, FARTHEST), float)


def file_name(shots: int) -> str:
    """Return the name of the file of weights for games of so many shots a turn."""
    return "one_shot.npz" if shots == 1 else "salvo.npz"


def network_for(shots: int) -> Network:
    """Return the network for games of so many shots a turn: one, or several."""
    return _read(file_name(shots))


@cache
def _read(name: str) -> Network:
    with np.load(Path(__file__).with_name(name), allow_pickle=False) as file:
        layers = sum(key.startswith("weights") for key in file)
        # Features are in double precision: weights that are too need not be converted at each look.
        return Network(
            file["mean"],
            file["scale"],
            [file[f"weights_{layer}"].astype(float) for layer in range(layers)],
            [file[f"biases_{layer}"].astype(float) for layer in range(layers)],
        )

"""Fits the last layer of a network to what trials came to, by least squares.

A trial that counts to the last shot of its game has no errors of the value network, but varies
twelve times as much. Some ten thousand games are enough for the few weights of one layer.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bots.tactics.learned.placement_network import Floats

RIDGE = 1e-3  # what the weights before count beside the trials, as a share of these


class LastLayer:
    """The sums of least squares over trials; what a cell costs is linear in the layer's inputs."""

    def __init__(self, weights: int) -> None:
        self._square, self._product = np.zeros((weights, weights)), np.zeros(weights)

    def take(self, seen: Floats, came: Floats) -> None:
        """Take in some trials.

        Args:
            seen: The inputs of the layer at the drawn cell less their mean, (trials, weights).
            came: By how many turns each went worse than was expected.
        """
        seen = seen.astype(float)
        self._square += seen.T @ seen
        self._product += seen.T @ came

    def fitted(self, weights: Floats) -> Floats:
        """Return the weights that fit all trials best, held a little to those before."""
        ridge = np.diag(RIDGE * np.diag(self._square) + np.finfo(float).tiny)
        fitted = np.linalg.lstsq(self._square + ridge, self._product + ridge @ weights)[0]
        return np.asarray(fitted, float)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the sums."""
        return {"square": self._square, "product": self._product}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what ``state`` returned."""
        self._square, self._product = state["square"].copy(), state["product"].copy()

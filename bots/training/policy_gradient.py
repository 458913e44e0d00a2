"""Learns by the policy gradient as Landy's and Ramesh's programs do."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def small_weights(random: np.random.Generator, inputs: int, outputs: int) -> Floats:
    """Return small normal weights, cut off at two standard deviations."""
    drawn = random.standard_normal((inputs, outputs))
    while (far := np.abs(drawn) > 2).any():  # noqa: PLR2004 - standard deviations
        drawn[far] = random.standard_normal(int(far.sum()))
    small: Floats = 0.1 / np.sqrt(inputs) * drawn
    return small


def discounted(gains: Sequence[float], discount: float) -> list[float]:
    """Return what each move gains with all later ones, each of these counting ``discount`` less."""
    sums: list[float] = []
    ahead = 0.0
    for gain in reversed(gains):
        ahead = gain + discount * ahead
        sums.append(ahead)
    return sums[::-1]


class TanhNetwork:
    """One hidden layer of tanh, and a softmax; whoever adds weights to its parts trains them."""

    def __init__(self, random: np.random.Generator, inputs: int, units: int, outputs: int) -> None:
        self.parts = {
            "hidden": small_weights(random, inputs, units),
            "hidden_bias": np.zeros(units),
            "output": small_weights(random, units, outputs),
            "output_bias": np.zeros(outputs),
        }

    def forward(self, inputs: Floats) -> tuple[Floats, Floats]:
        """Return the hidden units and the probability of each output."""
        units = np.tanh(inputs @ self.parts["hidden"] + self.parts["hidden_bias"])
        scores = units @ self.parts["output"] + self.parts["output_bias"]
        odds = np.exp(scores - scores.max())
        return units, odds / odds.sum()

    def step(self, inputs: Floats, chosen: int, size: float) -> Floats:
        """Go a step up the gradient of the logarithm of the probability of an output.

        Return the gradient by the inputs, as it was before the step.
        """
        parts = self.parts
        units, probabilities = self.forward(inputs)
        slope = -probabilities
        slope[chosen] += 1
        inner = (parts["output"] @ slope) * (1 - units**2)
        below: Floats = parts["hidden"] @ inner
        parts["output"] += size * np.outer(units, slope)
        parts["output_bias"] += size * slope
        parts["hidden"] += size * np.outer(inputs, inner)
        parts["hidden_bias"] += size * inner
        return below

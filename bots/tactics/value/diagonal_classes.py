"""Weights the classes of diagonals on which the smallest ship is found soonest."""

from functools import lru_cache

import numpy as np

from bots.tactics.posterior.board_placements import Counts, Floats


def prospects(chances: Floats | Counts, columns: int, modulus: int, off_class: float) -> Counts:
    """Return what cells count: 1 in the class with the fewest useful cells, less elsewhere.

    A ship of length n covers one cell of each class of (row + column) modulo n, and of (row -
    column). Of classes with equally few cells the likeliest is taken. ``chances`` say how likely a
    ship lies on each cell, 0 where none can, (boards, cells).
    """
    classes = classes_of(chances.shape[1], columns, modulus).astype(np.float32)
    useful = (chances > 0).astype(np.float32) @ classes
    likely = chances.astype(np.float32) @ classes
    tie = likely / (likely.max(axis=1, keepdims=True) + np.float32(1e-6))
    hunted = (useful - np.float32(0.5) * tie).argmin(axis=1)
    return np.asarray(off_class + (1 - off_class) * classes.T[hunted], np.float32)


@lru_cache
def classes_of(cells: int, columns: int, modulus: int) -> Floats:
    """Return which cells each class has, (cells, 2 * modulus)."""
    row, column = np.divmod(np.arange(cells), columns)
    numbers = np.stack([(row + column) % modulus, (row - column) % modulus], axis=1)
    classes = numbers[:, :, None] == np.arange(modulus)
    return np.asarray(classes.reshape(cells, 2 * modulus), float)

"""Keeps values of states and actions that were learned by heart."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bots.tactics.learned.weight_files import Arrays

_SEED = 2016
_ACTION = 2  # beside 0 for a miss and 1 for a hit: a cell that is shot now


class QTable:
    """A number for each state of a board and each cell to shoot there, 0 until it is learned.

    A state goes by a hash of 64 bits: the exclusive or of one number for each cell that was shot,
    which is one for a hit and another for a miss. It goes on from what ``arrays`` returned.

    Attributes:
        start: The state in which nothing was shot.
    """

    start = 0

    def __init__(self, cells: int, arrays: Arrays | None = None) -> None:
        drawn = np.random.default_rng(_SEED).integers(2**64, size=(cells, 3), dtype=np.uint64)
        self._codes: list[list[int]] = drawn.tolist()
        self._values: dict[int, float] = {}
        self._seen: set[int] = set()
        if arrays is not None:
            self._values = dict(
                zip(arrays["keys"].tolist(), arrays["values"].tolist(), strict=True)
            )
            self._seen = set(arrays["states"].tolist())

    def after(self, state: int, cell: int, *, hit: bool) -> int:
        """Return the state after a shot."""
        return state ^ self._codes[cell][int(hit)]

    def best(self, state: int, untried: Sequence[int]) -> tuple[float, int]:
        """Return the greatest value of a state and its cell, the last of those that are equal."""
        if state not in self._seen:
            return 0.0, untried[-1]
        values = self._values
        codes = self._codes
        return max((values.get(state ^ codes[cell][_ACTION], 0.0), cell) for cell in untried)

    def learn(self, state: int, cell: int, target: float, step: float) -> None:
        """Move the value of a state and a cell towards a target."""
        self._seen.add(state)
        key = state ^ self._codes[cell][_ACTION]
        before = self._values.get(key, 0.0)
        self._values[key] = (1 - step) * before + step * target

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all values as arrays: the hash of each state with its cell, the value, states."""
        return {
            "keys": np.array(list(self._values), dtype=np.uint64),
            "values": np.array(list(self._values.values()), dtype=np.float64),
            "states": np.array(sorted(self._seen), dtype=np.uint64),
        }

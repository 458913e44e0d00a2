"""Names the salvo to fire by a network: one probability for each set of cells.

Source: Jonathan Landy, Deep reinforcement learning, battleship (one hidden layer of tanh over -1
for an unknown cell, 0 for a miss, 1 for a hit), and Amrit Ramesh, who gave it one output for each
set of n cells.
"""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from arena import Bot
from arena.rules import RulesView
from bots.tactics.learned.weight_files import Arrays, Origin, read_weights

Floats = NDArray[np.floating[Any]]
Integers = NDArray[np.integer[Any]]

UNKNOWN, MISS, HIT = -1, 0, 1


def salvos_of(cells: int, shots: int) -> Integers:
    """Return every set of so many cells: sets x shots."""
    return np.array(list(itertools.combinations(range(cells), shots)))


def patches_of(rows: int, columns: int) -> Integers:
    """Return for each cell the nine around it, those beyond the edge as ``cells``: cells x 9."""
    number = np.full((rows + 2, columns + 2), rows * columns)
    number[1:-1, 1:-1] = np.arange(rows * columns).reshape(rows, columns)
    shifted = [
        number[1 + down : 1 + down + rows, 1 + right : 1 + right + columns].ravel()
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
    ]
    return np.stack(shifted, axis=1)


class SalvoNetwork:
    """A trained network, and the game that it is for.

    Its arrays are ``hidden`` (inputs x units) and ``hidden_bias``, ``output`` (units x salvos) and
    ``output_bias``; with a convolution also ``kernel`` (9 planes x filters) and ``kernel_bias``.
    """

    def __init__(self, arrays: Arrays, origin: Origin) -> None:
        self.origin = origin
        self._arrays = arrays
        self._salvos = salvos_of(origin.rows * origin.columns, origin.shots)
        self._patches = patches_of(origin.rows, origin.columns)

    def choose(self, board: Integers, sunk: Floats, count: int) -> list[int]:
        """Return the salvo of ``count`` shots with the greatest probability.

        ``board`` says of each cell -1, 0 or 1; ``sunk`` of each ship, the longest first, whether it
        was reported to be sunk.
        """
        legal = (board[self._salvos] == UNKNOWN).all(axis=1)
        if count < self.origin.shots or not legal.any():
            return [int(cell) for cell in np.flatnonzero(board == UNKNOWN)[:count]]
        scores = np.where(legal, self.scores(board, sunk), -np.inf)
        return [int(cell) for cell in self._salvos[scores.argmax()]]

    def scores(self, board: Integers, sunk: Floats) -> Floats:
        """Return the logarithm of each salvo's probability, but for a constant."""
        arrays = self._arrays
        inputs = board_inputs(board, self.origin.planes)
        if "kernel" in arrays:
            beyond = np.zeros(self.origin.planes)
            cells = np.vstack([inputs.reshape(self.origin.planes, -1).T, beyond])
            around = cells[self._patches].reshape(len(board), -1)
            inputs = np.tanh(around @ arrays["kernel"] + arrays["kernel_bias"]).ravel()
        origin = self.origin
        shown = sunk if origin.sinkings else np.zeros(0)
        lengths = np.array(origin.lengths) / max(origin.rows, origin.columns)
        inputs = np.concatenate([inputs, shown, lengths if origin.fleet else np.zeros(0)])
        units = np.tanh(inputs @ arrays["hidden"] + arrays["hidden_bias"])
        found: Floats = units @ arrays["output"] + arrays["output_bias"]
        return found


def board_inputs(board: Integers, planes: int) -> Floats:
    """Return what a network sees of a board: itself, or a plane of misses and one of hits."""
    if planes == 1:
        return board.astype(np.float64)
    return np.concatenate([board == MISS, board == HIT], axis=-1).astype(np.float64)


def networks_in(folder: Path) -> list[SalvoNetwork]:
    """Return the networks whose weights lie in a folder."""
    return [SalvoNetwork(*read_weights(path)) for path in sorted(folder.glob("*.npz"))]


class SalvoNetworkBot(Bot):
    """Plays the likeliest salvo, in the games that the weights in its folder are for."""

    folder: ClassVar[Path]

    def __init__(self) -> None:
        self.networks = networks_in(self.folder)

    def plays(self, rules: RulesView) -> bool:
        """Return whether there are weights for these rules."""
        return self._network_for(rules) is not None

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the likeliest salvo."""
        network = self._network_for(self.rules)
        assert network is not None, "it said that it plays these rules"
        board = np.full(self.rules.cells, UNKNOWN)
        board[self.shot] = MISS
        board[self.hits] = HIT
        fleet = sorted(self.rules.opponent_fleet or (), key=lambda ship: -ship.length)
        sunk = np.array([ship not in self.afloat for ship in fleet], dtype=float)
        return network.choose(board, sunk, count)

    def _network_for(self, rules: RulesView) -> SalvoNetwork | None:
        return next((network for network in self.networks if network.origin.fits(rules)), None)

"""Describes by numbers how much is left to be searched after an answer.

Ships are taken together by length (five or more, four, three, two or less), so that any fleet has
the same features. The probabilities are those of untried cells, of ships that are afloat.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bots.tactics.posterior.board_placements import Board, Floats, Indices
from bots.tactics.value.chances import Outlook
from bots.tactics.value.diagonal_classes import classes_of

Features = npt.NDArray[np.float64]
"""In double precision: what an answer is worth must not depend on what it is computed beside."""

KINDS = (5, 4, 3, 2)  # lengths: at least so long, and shorter than the one before

MODULI = (2, 3, 4, 5)
LIKELIEST = 60  # cells that the wait for the next hit looks at
FEATURES = 9 * len(KINDS) + 2 * len(MODULI) + 15  # how many there are
SHOTS = FEATURES - 1  # which of them says how many shots a salvo has


class Rows(NamedTuple):
    """The state after some answers, one a row; all numbers are means over its layouts."""

    # How many ships afloat of each kind lie on each cell, and of all kinds, (kinds + 1, rows,
    # cells); the cells may be some of the board, in order, if no other is untried.
    ships: Features
    afloat: Features  # how many ships of each kind are afloat, (kinds, rows)
    struck: Features  # how many of these were hit, (kinds, rows)
    open_hits: Features  # how many hits are of ships afloat
    untried: Indices  # how many cells are untried
    to_hit: Indices
    log_layouts: Floats  # the logarithm of how many layouts agree, about


def by_kind(board: Board) -> list[list[int]]:
    """Return the lengths of each kind."""
    bounds = zip((board.cells + 1, *KINDS[:-1]), (*KINDS[:-1], 1), strict=True)
    return [[one for one in board.lengths if least <= one < end] for end, least in bounds]


def describe(board: Board, outlooks: Sequence[Outlook], shots: int) -> Features:
    """Return the features of every answer of every salvo of one game, (answers, FEATURES).

    Args:
        shots: How many shots a salvo has.
    """
    answers = [len(outlook.chances) for outlook in outlooks]
    known = np.maximum(np.concatenate([outlook.share for outlook in outlooks]), 1e-12)
    untried = np.repeat([outlook.untried for outlook in outlooks], answers, axis=0)
    ships = np.zeros((len(KINDS) + 1, *untried.shape))
    afloat, struck = np.zeros((2, len(KINDS), len(known)))
    open_hits = np.zeros(len(known))
    for kind, lengths in enumerate(by_kind(board)):
        for length in lengths:
            unhit = np.repeat([outlook.unhit[length] for outlook in outlooks], answers, axis=0)
            counts = np.concatenate([outlook.counts[length] for outlook in outlooks])
            counts = counts / known[:, None] * (unhit > 0)
            afloat[kind] += counts.sum(axis=1)
            struck[kind] += (counts * (unhit < length)).sum(axis=1)
            open_hits += (counts * (length - unhit)).sum(axis=1)
            ships[kind] += counts @ board.covers[length]
        ships[kind] *= untried
        ships[-1] += ships[kind]
    rows = Rows(
        ships,
        afloat,
        struck,
        open_hits,
        untried.sum(axis=1),
        np.concatenate([outlook.to_hit for outlook in outlooks]),
        np.repeat([outlook.log_layouts for outlook in outlooks], answers) + np.log(known),
    )
    return describe_rows(board, rows, np.arange(board.cells), shots)


def describe_rows(board: Board, rows: Rows, cells: Indices, shots: int) -> Features:
    """Return the features of some answers, given the cells of their ``ships``, (rows, FEATURES)."""
    number = len(rows.to_hit)
    everywhere = rows.ships[-1]
    likeliest = np.zeros((number, max(min(LIKELIEST, board.cells), len(cells))))
    likeliest[:, : len(cells)] = np.sort(everywhere, axis=1)[:, ::-1]
    still = np.cumprod(1 - np.minimum(likeliest[:, :LIKELIEST], 1), axis=1)
    moduli = [(max(lengths, default=2),) for lengths in by_kind(board)]
    spreads = [
        _spread(board, ships, cells, sizes)
        for ships, sizes in zip(rows.ships, [*moduli, MODULI], strict=True)
    ]
    columns: list[Features] = []
    for kind, spread in enumerate(spreads[:-1]):
        columns += [rows.afloat[kind], rows.struck[kind], *spread]
    columns += [
        *spreads[-1],
        likeliest[:, 1],
        likeliest[:, 2],
        still.sum(axis=1),
        still[:, :10].sum(axis=1),
        rows.afloat.sum(axis=0),
        rows.open_hits,
        rows.to_hit.astype(float),
        rows.log_layouts,
        rows.untried.astype(float),
        np.full(number, float(shots)),
    ]
    return np.stack(columns, axis=1)


def _spread(board: Board, ships: Features, cells: Indices, moduli: Sequence[int]) -> list[Features]:
    """Return how wide probabilities spread over the cells: five numbers a row.

    Two more for each modulus are, of the class of diagonals with the least, its cells and roots.
    """
    roots = np.sqrt(ships)
    diagonals = _diagonals(board.cells, board.columns, tuple(moduli))[cells]
    # A row for each class: the least of some columns is found several times faster so.
    useful = ((ships > 0).astype(np.float32) @ diagonals.astype(np.float32)).T.copy()
    found = (roots @ diagonals).T.copy()
    spread = [
        ships.sum(axis=1),
        found[-1],
        np.einsum("rc,rc->r", ships, ships),
        ships.max(axis=1),
        useful[-1],
    ]
    start = 0
    for modulus in moduli:
        of_modulus = slice(start, start + 2 * modulus)
        spread += [useful[of_modulus].min(axis=0), found[of_modulus].min(axis=0)]
        start += 2 * modulus
    return spread


@lru_cache
def _diagonals(cells: int, columns: int, moduli: tuple[int, ...]) -> Floats:
    """Return the cells of the classes of diagonals of each modulus, and all in the last column."""
    classes = [classes_of(cells, columns, modulus) for modulus in moduli]
    return np.concatenate([*classes, np.ones((cells, 1))], axis=1)

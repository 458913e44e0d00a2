"""Describes by numbers how much is left to be searched after an answer.

Ships are taken together by length (five or more, four, three, two or less), so that any fleet has
the same features. The probabilities are those of untried cells, of ships that are afloat.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bots.tactics.posterior.board_placements import Board, Bools, Counts, Floats, Indices
from bots.tactics.value.chances import Outlook
from bots.tactics.value.diagonal_classes import classes_of

Features = npt.NDArray[np.float64]
"""In double precision: what an answer is worth must not depend on what it is computed beside."""

KINDS = (5, 4, 3, 2)  # lengths: at least so long, and shorter than the one before

MODULI = (2, 3, 4, 5)
LIKELIEST = 60  # cells that the wait for the next hit looks at
FEATURES = 9 * len(KINDS) + 2 * len(MODULI) + 14  # how many there are


class Rows(NamedTuple):
    """The state after some answers, one a row."""

    # For each length, how many ships of it lie at each placement, over all layouts of a row: whole
    # numbers may be floats of 32 bits, as their sums are exact, too; (rows, placements)
    counts: Mapping[int, Floats | Counts]
    layouts: Floats  # the number of layouts that the counts of a row are of
    # For each length, how many cells of each placement are not hit, (rows, placements)
    unhit: Mapping[int, Counts]
    untried: Bools
    to_hit: Indices
    log_layouts: Floats  # the logarithm of how many layouts agree, about


def describe(board: Board, outlooks: Sequence[Outlook]) -> Features:
    """Return the features of every answer of every salvo of one game, (answers, FEATURES)."""
    answers = [len(outlook.chances) for outlook in outlooks]
    known = np.maximum(np.concatenate([outlook.share for outlook in outlooks]), 1e-12)
    rows = Rows(
        {
            length: np.concatenate([outlook.counts[length] for outlook in outlooks])
            / known[:, None]
            for length in board.lengths
        },
        np.ones(len(known)),
        {
            length: np.repeat([outlook.unhit[length] for outlook in outlooks], answers, axis=0)
            for length in board.lengths
        },
        np.repeat([outlook.untried for outlook in outlooks], answers, axis=0),
        np.concatenate([outlook.to_hit for outlook in outlooks]),
        np.repeat([outlook.log_layouts for outlook in outlooks], answers) + np.log(known),
    )
    return describe_rows(board, rows, np.arange(board.cells))


def describe_rows(board: Board, rows: Rows, cells: Indices) -> Features:
    """Return the features of some answers, (rows, FEATURES).

    ``cells`` are all that are untried in any row, or more.
    """
    number = len(rows.layouts)
    # How many ships of each kind lie on each cell, and how many of all kinds.
    ships = np.zeros((len(KINDS) + 1, number, len(cells)))
    everywhere = ships[-1]
    untried = rows.untried[:, cells]
    afloat, struck = np.zeros((2, len(KINDS), number))
    open_hits = np.zeros(number)
    for kind, lengths in enumerate(_by_kind(board)):
        for length in lengths:
            unhit = rows.unhit[length]
            counts = rows.counts[length] * (unhit > 0)
            afloat[kind] += counts.sum(axis=1) / rows.layouts
            struck[kind] += (counts * (unhit < length)).sum(axis=1) / rows.layouts
            open_hits += (counts * (length - unhit)).sum(axis=1) / rows.layouts
            covers = board.covers_32[length][:, cells]
            ships[kind] += (counts @ covers) / rows.layouts[:, None]
        ships[kind] *= untried
        everywhere += ships[kind]
    spread = _spread(ships)
    classes = _classes(board, ships, cells)
    columns: list[Features] = []
    for kind, lengths in enumerate(_by_kind(board)):
        columns += [afloat[kind], struck[kind], *spread[:, kind]]
        columns += classes(kind, max(lengths, default=2))
    columns += [*spread[:, -1]]
    for modulus in MODULI:
        columns += classes(-1, modulus)
    likeliest = np.zeros((number, max(LIKELIEST, len(cells))))
    likeliest[:, : len(cells)] = -np.sort(-everywhere, axis=1)
    still = np.cumprod(1 - np.minimum(likeliest[:, :LIKELIEST], 1), axis=1)
    columns += [
        likeliest[:, 1],
        likeliest[:, 2],
        still.sum(axis=1),
        still[:, :10].sum(axis=1),
        afloat.sum(axis=0),
        open_hits,
        rows.to_hit.astype(float),
        rows.log_layouts,
        untried.sum(axis=1),
    ]
    return np.stack(columns, axis=1)


def _by_kind(board: Board) -> list[list[int]]:
    """Return the lengths of each kind."""
    bounds = zip((board.cells + 1, *KINDS[:-1]), (*KINDS[:-1], 1), strict=True)
    return [[one for one in board.lengths if least <= one < end] for end, least in bounds]


def _spread(ships: Features) -> Features:
    """Return how wide probabilities spread over the cells: five numbers a row, (5, kinds, rows)."""
    return np.stack(
        [
            ships.sum(axis=2),
            np.sqrt(ships).sum(axis=2),
            (ships * ships).sum(axis=2),
            ships.max(axis=2),
            (ships > 0).sum(axis=2),
        ]
    )


def _classes(
    board: Board, ships: Features, cells: Indices
) -> Callable[[int, int], tuple[Features, Features]]:
    """Return what says of a kind the cells and roots of the class of diagonals with the least."""
    useful = (ships > 0).astype(np.float32)
    roots = np.sqrt(ships)

    def least(kind: int, modulus: int) -> tuple[Features, Features]:
        diagonals = classes_of(board.cells, board.columns, modulus)[cells]
        cells_left = useful[kind] @ diagonals.astype(np.float32)
        return cells_left.min(axis=1), (roots[kind] @ diagonals).min(axis=1)

    return least

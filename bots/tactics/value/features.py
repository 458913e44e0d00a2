"""Describes by numbers how much is left to be searched after an answer.

Ships are taken together by length (five or more, four, three, two or less), so that any fleet has
the same features. The probabilities are those of untried cells, of ships that are afloat.
"""

from collections.abc import Mapping, Sequence
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
    """The state after some answers, one a row; the fields of ``Outlook`` for many salvos."""

    counts: Mapping[int, Floats]
    unhit: Mapping[int, Counts]
    untried: Bools
    share: Floats
    to_hit: Indices
    log_layouts: Floats


def describe(board: Board, outlooks: Sequence[Outlook]) -> Features:
    """Return the features of every answer of every salvo of one game, (answers, FEATURES)."""
    answers = [len(outlook.chances) for outlook in outlooks]
    rows = Rows(
        {
            length: np.concatenate([outlook.counts[length] for outlook in outlooks])
            for length in board.lengths
        },
        {
            length: np.repeat([outlook.unhit[length] for outlook in outlooks], answers, axis=0)
            for length in board.lengths
        },
        np.repeat([outlook.untried for outlook in outlooks], answers, axis=0),
        np.concatenate([outlook.share for outlook in outlooks]),
        np.concatenate([outlook.to_hit for outlook in outlooks]),
        np.repeat([outlook.log_layouts for outlook in outlooks], answers),
    )
    return describe_rows(board, rows)


def describe_rows(board: Board, rows: Rows) -> Features:
    """Return the features of some answers, (rows, FEATURES)."""
    known = np.maximum(rows.share, 1e-12)[:, None]
    columns: list[Features] = []
    everywhere = np.zeros(rows.untried.shape)
    afloat = open_hits = np.zeros(len(known))
    for longest, shortest in zip((None, *KINDS[:-1]), (*KINDS[:-1], 1), strict=True):
        cells = np.zeros_like(everywhere)
        number, struck = np.zeros((2, len(known)))
        lengths = [one for one in board.lengths if shortest <= one < (longest or board.cells + 1)]
        for length in lengths:
            unhit = rows.unhit[length]
            counts = rows.counts[length] / known * (unhit > 0)
            number += counts.sum(axis=1)
            struck += (counts * (unhit < length)).sum(axis=1)
            open_hits = open_hits + (counts * (length - unhit)).sum(axis=1)
            cells += counts @ board.covers[length]
        cells *= rows.untried
        afloat = afloat + number
        everywhere += cells
        columns += [
            number,
            struck,
            *_spread(cells),
            *_classes(board, cells, max(lengths, default=2)),
        ]
    columns += [*_spread(everywhere)]
    for modulus in MODULI:
        columns += _classes(board, everywhere, modulus)
    likeliest = -np.sort(-everywhere, axis=1)[:, :LIKELIEST]
    still = np.cumprod(1 - np.minimum(likeliest, 1), axis=1)
    columns += [
        likeliest[:, 1],
        likeliest[:, 2],
        still.sum(axis=1),
        still[:, :10].sum(axis=1),
        afloat,
        open_hits,
        rows.to_hit.astype(float),
        rows.log_layouts + np.log(known[:, 0]),
        rows.untried.sum(axis=1),
    ]
    return np.stack(columns, axis=1)


def _spread(cells: Features) -> list[Features]:
    """Return how wide probabilities spread over the cells: five numbers a row."""
    roots = np.sqrt(cells)
    return [
        cells.sum(axis=1),
        roots.sum(axis=1),
        (cells * cells).sum(axis=1),
        cells.max(axis=1),
        (cells > 0).sum(axis=1),
    ]


def _classes(board: Board, cells: Features, modulus: int) -> list[Features]:
    """Return of the class of diagonals with the least left its cells and their roots."""
    diagonals = classes_of(board.cells, board.columns, modulus)
    useful = (cells > 0).astype(float) @ diagonals
    roots = np.sqrt(cells) @ diagonals
    return [useful.min(axis=1), roots.min(axis=1)]

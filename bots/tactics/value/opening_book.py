"""Reads and computes the book of first shots of the classic game, as long as all of them miss.

``python -m bots.tactics.value.opening_book`` computes it anew in some minutes. It draws paths of
misses that a hunter on one class of diagonals might take if it saw the probabilities blurred. In
each of the best it exchanges one cell after another for the one with which the path is worth most
(``worth_of_paths``), over samples of layouts of its own. The best of these is the book.
"""

import sys
from collections.abc import Sequence
from functools import cache

import numpy as np

from arena.rules import RulesView, preset, unusual, view
from arena.rules.rule_features import CERTAIN
from bots.tactics.posterior.board_placements import Board, Indices, board_of
from bots.tactics.posterior.explanations import Explanations
from bots.tactics.posterior.opening_table import symmetries
from bots.tactics.tables import beside, rows_of, write_rows
from bots.tactics.value.agreeing_layouts import draw_layouts
from bots.tactics.value.ahead import climb, worth_of_paths
from bots.tactics.value.diagonal_classes import prospects
from bots.tactics.value.layout_set import LayoutSet
from bots.tactics.value.look_ahead import OFF_CLASS
from bots.tactics.value.network import network_for

BOOK = beside(__file__, "opening.csv")
PRESET = "classic"
SEED = 14
DEPTH = 12  # misses in a row; in 7% of games no shot has hit by then
STARTS, CLIMBED = 80, 3  # paths that are drawn, and how many of them are improved
BLUR = 0.15  # the standard deviation of the logarithm of what a probability is multiplied by
SAMPLES, LAYOUTS = 10, 2_000  # samples, of as many layouts each as the network was trained with
SAMPLE = 20_000  # layouts by which the likeliest cells are found

ALTERNATIVES = 14
SWEEPS = 2
LEAST = 0.002  # what an exchange must gain, in shots


@cache
def opening() -> tuple[int, ...]:
    """Return the cells of the book, in order."""
    [cells] = rows_of(BOOK)
    return tuple(map(int, cells))


def turnings(rules: RulesView) -> list[tuple[int, ...]]:
    """Return the book turned and mirrored in all ways; nothing for games that it is not for."""
    known = view(preset(PRESET))
    same = (
        unusual(rules) <= CERTAIN | {"reshoot"}
        and rules.rows == known.rows
        and rules.columns == known.columns
        and rules.touching == known.touching
        and _lengths(rules) == _lengths(known)
    )
    cells = list(opening()) if same else []
    return [tuple(turn[cells].tolist()) for turn in symmetries(known.rows) if cells]


def _lengths(rules: RulesView) -> tuple[int, ...]:
    fleet = rules.opponent_fleet or ()
    return tuple(sorted((ship.length for ship in fleet), reverse=True))


def compute(seed: int) -> Indices:
    """Return the cells of a book."""
    rules = view(preset(PRESET))
    lengths = _lengths(rules)
    board = board_of(rules.rows, rules.columns, lengths, rules.touching)
    random = np.random.default_rng(seed)
    many = _empty(board, lengths, SAMPLE, random)
    sets = [_empty(board, lengths, LAYOUTS, random) for _ in range(SAMPLES)]
    starts = np.array([_blurred_path(many, random) for _ in range(STARTS)])
    worth = np.array([worth_of_paths(sets, network_for(1), path[None])[0] for path in starts])
    climbed = [
        _climb(many, sets, starts[number].tolist(), worth[number])
        for number in np.argsort(worth)[:CLIMBED]
    ]
    return np.array(min(climbed, key=lambda one: one[1])[0])


def _blurred_path(layouts: LayoutSet, random: np.random.Generator) -> Indices:
    path: list[int] = []
    occupied = layouts.occupied
    missed = np.ones(len(occupied), np.float32)
    for _ in range(DEPTH):
        chances = missed @ occupied
        weights = prospects(chances[None], layouts.board.columns, layouts.smallest, OFF_CLASS)[0]
        blurred = chances * weights * np.exp(BLUR * random.normal(size=len(chances)))
        path.append(int(blurred.argmax()))
        missed *= 1 - occupied[:, path[-1]]
    return np.array(path)


def _climb(
    many: LayoutSet, sets: Sequence[LayoutSet], start: list[int], started: float
) -> tuple[list[int], float]:
    path, worth = climb(
        start,
        lambda path, place: _exchanges(many, path, place),
        lambda paths: worth_of_paths(sets, network_for(1), np.array(paths)),
        SWEEPS,
        LEAST,
    )
    sys.stdout.write(f"{started:.3f} to {worth:.3f} shots: {' '.join(map(str, path))}\n")
    sys.stdout.flush()
    return path, worth


def _empty(
    board: Board, lengths: tuple[int, ...], number: int, random: np.random.Generator
) -> LayoutSet:
    drawn = draw_layouts(Explanations(board, lengths, random), number, random)
    assert drawn is not None
    return LayoutSet(board, lengths, drawn, np.zeros(board.cells, bool), np.ones(board.cells, bool))


def _exchanges(layouts: LayoutSet, path: list[int], place: int) -> list[list[int]]:
    likeliest = _likeliest(layouts, np.array(path), place).tolist()
    return [[*path[:place], cell, *path[place + 1 :]] for cell in likeliest]


def _likeliest(layouts: LayoutSet, path: Indices, place: int) -> Indices:
    """Return the cells off a path that are likeliest once those before ``place`` missed."""
    occupied = layouts.occupied
    missed = 1 - occupied[:, path[:place]].max(axis=1, initial=0)
    chances = missed @ occupied
    chances[path] = 0
    return np.argsort(-chances, kind="stable")[:ALTERNATIVES]


def main() -> None:
    """Write the book anew."""
    write_rows(BOOK, [[str(cell) for cell in compute(SEED)]])


if __name__ == "__main__":
    main()

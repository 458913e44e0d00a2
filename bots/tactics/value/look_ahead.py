"""Compares the most promising cells by a look ahead."""

from collections.abc import Sequence
from random import Random

import numpy as np

from arena.rules import RulesView, unusual
from arena.rules.rule_features import SALVOS, TOUCHING, TURNS
from bots.tactics.posterior.belief import highest
from bots.tactics.posterior.board_placements import Counts, Floats, Indices
from bots.tactics.posterior.salvo import best_set
from bots.tactics.posterior.ship_layouts import ShipLayouts, numbers_of
from bots.tactics.posterior.systematic import draw_systematically
from bots.tactics.solver.endgame import best_cell
from bots.tactics.solver.small_game import TooLargeError
from bots.tactics.value.agreeing_layouts import Drawn
from bots.tactics.value.ahead import paths_of_misses, worth_of_paths
from bots.tactics.value.chances import Chances
from bots.tactics.value.diagonal_classes import prospects
from bots.tactics.value.layout_set import LayoutSet, Weigh, joined, weighed
from bots.tactics.value.network import network_for

OFF_CLASS, OFF_CLASS_OPEN = 0.8, 0.9  # weights off the class, while hunting and while a hit is open
OFF_CLASS_BITS = 0.1  # by which a cell of a salvo counts less off the class
CANDIDATES = 6  # cells that are compared
WORTH_COMPARING = 0.5  # a cell less likely than this share of the likeliest one is not compared
DEPTH, DEPTH_OPEN = 6, 3  # shots on a path, while hunting and while a hit is open
LAYOUTS = 2_000  # layouts in each set, as many as the network learned with
FEW = 30  # so many layouts at most are solved exactly
WORK = 150  # shots at sets of layouts that may be examined for that
MOST_CELLS = 144  # larger boards are not looked ahead on

_VALUED = SALVOS | TOUCHING | TURNS | {"hits_named", "reshoot", "layouts=sequential"}
"""Features of rules by which layouts that agree with the answers can be drawn and valued."""


def can_value(rules: RulesView) -> bool:
    """Return whether shots can be valued by these rules."""
    return (
        unusual(rules) <= _VALUED
        and (rules.shots == 1 or not rules.hits_named)
        and rules.cells <= MOST_CELLS
    )


def layout_sets(chances: Chances, random: Random) -> list[LayoutSet]:
    """Return sets of layouts to look ahead over; none where none are left."""
    # All of them are in each set.
    sets = chances.sets[:1] if chances.sets and chances.sets[0].whole else chances.sets
    board, lengths = chances.board, tuple(chances.lengths)
    return [
        LayoutSet(board, lengths, _some(drawn, random), chances.hit, chances.untried)
        for drawn in sets
    ]


def weighed_sets(chances: Chances, sets: Sequence[LayoutSet], weigh: Weigh) -> list[LayoutSet]:
    """Return sets of layouts by weight, with those that are likely by themselves."""
    found = []
    for one in sets:
        more = one.weighed(weigh)
        if chances.repeated is not None:
            share = chances.share_repeated(one.drawn, _mean_odds(one.drawn, more.drawn))
            more = more.joined(chances.repeated, share)
        found.append(more)
    return found


def _mean_odds(drawn: Drawn, by_weight: Drawn) -> float:
    return float(by_weight.weights.sum() / drawn.weights.sum())


def drawn_by_weight(chances: Chances, number: int, random: Random, weigh: Weigh) -> ShipLayouts:
    """Draw layouts of the first set by weight, and of those that are likely by themselves.

    Each is drawn as often as its weight says, to within one.
    """
    some = _some(chances.sets[0], random)
    drawn = weighed(some, chances.lengths, weigh)
    share = chances.share_repeated(some, _mean_odds(some, drawn))
    if chances.repeated is not None and share:
        drawn = joined(drawn, chances.repeated, share)
    rows, _ = draw_systematically(drawn.weights, number, random)
    return ship_layouts(chances, drawn.places.take(rows, axis=1))


def ship_layouts(chances: Chances, places: Indices) -> ShipLayouts:
    """Return layouts by the placement in each slot, (slots, layouts)."""
    return ShipLayouts.of(chances.board, numbers_of(chances.board, chances.lengths, places))


def informed_salvo(
    chances: Chances, layouts: LayoutSet, untried: Sequence[int], count: int, hit_bits: float
) -> list[int]:
    """Return the best set of cells by hits and information, where those off the class count less.

    It is where the search for a better one begins.
    """
    drawn = ship_layouts(chances, layouts.drawn.places)
    return best_set(drawn, untried, count, hit_bits, off_class_bits(layouts))


def off_class_bits(layouts: LayoutSet) -> Counts:
    """Return by how many bits each cell of a salvo counts less, (cells,)."""
    columns, smallest = layouts.board.columns, layouts.smallest
    on_class = prospects(layouts.cells[None], columns, smallest, 0.0)[0]
    return np.asarray(OFF_CLASS_BITS * (1 - on_class), np.float32)


def shifted(posterior: Floats, plain: Sequence[LayoutSet], weighed: Sequence[LayoutSet]) -> Floats:
    """Return how likely each cell has a ship where layouts have weights, (cells,).

    The sets tell what weights change more precisely than the posterior.
    """
    changes = [one.cells - other.cells for one, other in zip(weighed, plain, strict=True)]
    return np.asarray(np.clip(posterior + np.mean(changes, axis=0), 0, 1), float)


def _some(drawn: Drawn, random: Random) -> Drawn:
    if len(drawn.weights) <= LAYOUTS:
        return drawn
    order = np.random.default_rng(random.getrandbits(64)).permutation(len(drawn.weights))
    rows = order[:LAYOUTS]
    return drawn._replace(places=drawn.places[:, rows], weights=drawn.weights[rows])


def off_class(*, is_open: bool) -> float:
    """Return what a cell counts off the class, where a hit is open or none is."""
    return OFF_CLASS_OPEN if is_open else OFF_CLASS


def scores_of(chances: Floats, columns: int, smallest: int, off_class: float) -> Floats:
    """Return how promising each cell is, given its chance of a ship, 0 where shot, (cells,)."""
    return np.asarray(chances * prospects(chances[None], columns, smallest, off_class)[0], float)


def worth_comparing(scores: Floats, untried: Sequence[int], random: Random) -> list[int]:
    """Return the few best cells that are not far behind the first, best first."""
    cells = highest(scores, untried, min(CANDIDATES, len(untried)), random)
    return [cell for cell in cells if scores[cell] >= WORTH_COMPARING * scores[cells[0]]]


def worth_of_cells(
    sets: Sequence[LayoutSet], cells: Sequence[int], off_class: float, *, is_open: bool
) -> Floats:
    """Return how many turns are left by a shot at each cell in expectation, the mean over sets."""
    paths = paths_of_misses(sets[0], list(cells), DEPTH_OPEN if is_open else DEPTH, off_class)
    return worth_of_paths(sets, network_for(1), paths)


def solved(layouts: LayoutSet) -> int | None:
    """Return the best cell by all layouts that are left; None if they are too many."""
    drawn = layouts.drawn
    if not drawn.whole or len(drawn.weights) > FEW:
        return None
    try:
        return best_cell(layouts.afloat(), drawn.weights.tolist(), WORK)
    except TooLargeError:
        return None

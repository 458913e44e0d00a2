"""Chooses the best set of cells for a salvo, before any of its results is reported."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from arena import Bot
from bots.tactics.posterior.belief import Belief, highest
from bots.tactics.posterior.board_placements import Bools, Counts
from bots.tactics.posterior.explanations import ImpossibleEvidenceError
from bots.tactics.posterior.information import HitNumbers, HitPatterns
from bots.tactics.posterior.ship_layouts import ShipLayouts

LAYOUTS = 2_000  # how many layouts are drawn for a salvo

HIT_BITS_ALONE = 0.5
HIT_BITS = 6.0
"""How many bits of information an expected hit is worth.

In a solo game only the last ship counts, and information finds it soonest; in a game for two, every
ship that is sunk early takes a shot from the opponent.
"""

SWEEPS = 2  # how many rounds of exchanging single cells there are at most


def best_salvo(bot: Bot, belief: Belief, count: int, hit_bits: float = HIT_BITS) -> list[int]:
    """Return the best set of ``count`` cells for a bot; see ``best_set``."""
    worth = HIT_BITS_ALONE if bot.solo else hit_bits
    return _over_layouts(bot, belief, count, partial(best_set, hit_bits=worth))


def likely_salvo(bot: Bot, belief: Belief, count: int) -> list[int]:
    """Return ``count`` cells for a bot, each the likeliest if those before it missed."""
    return _over_layouts(bot, belief, count, likely_set)


def _over_layouts(
    bot: Bot,
    belief: Belief,
    count: int,
    choose: Callable[[ShipLayouts, Sequence[int], int], list[int]],
) -> list[int]:
    try:
        layouts = belief.posterior().draw(LAYOUTS, belief.random)
    except ImpossibleEvidenceError:
        return highest(belief.density(), bot.untried, count, bot.random)
    return choose(layouts, bot.untried, count)


def likely_set(layouts: ShipLayouts, untried: Sequence[int], count: int) -> list[int]:
    """Return ``count`` cells, each the likeliest if those before it missed."""
    cells = np.array(untried)
    covered = layouts.cells()[:, cells].astype(np.float32)
    prior = covered.mean(axis=0)
    missed = np.ones(len(covered), np.float32)
    chosen: list[int] = []
    for _ in range(count):
        # Where every layout was hit already, no cell is worth anything: take the likeliest.
        worth = missed @ covered + 1e-6 * prior
        worth[chosen] = -1
        chosen.append(int(worth.argmax()))
        missed *= 1 - covered[:, chosen[-1]]
    return [int(cells[index]) for index in chosen]


def best_counted_set(
    layouts: Bools, untried: Sequence[int], count: int, hit_bits: float
) -> list[int]:
    """Return the best ``count`` cells where only the number of hits is reported.

    As ``best_set``, with the entropy of the number of hits; layouts are the cells they cover,
    (layouts, cells).
    """
    return _search(HitNumbers.of(layouts), untried, count, hit_bits)


def best_set(
    layouts: ShipLayouts,
    untried: Sequence[int],
    count: int,
    hit_bits: float,
    handicaps: Counts | None = None,
) -> list[int]:
    """Return ``count`` cells whose answer says most about the layout and hits most.

    The worth of a set is the entropy of the pattern of its hits, in bits, plus ``hit_bits`` for
    each expected hit, both over layouts drawn from the posterior, less the ``handicaps`` of its
    cells, in bits, (cells of the board,). The search adds the best cell again and again, and then
    exchanges single cells for better ones.
    """
    return _search(HitPatterns.of(layouts), untried, count, hit_bits, handicaps)


def _search(
    salvo: HitNumbers | HitPatterns,
    untried: Sequence[int],
    count: int,
    hit_bits: float,
    handicaps: Counts | None = None,
) -> list[int]:
    # To judge all cells is faster than to pick out those that may be shot.
    expected = salvo.expected_hits()
    worth_of_cells = np.full(len(expected), -np.inf, np.float32)
    worth_of_cells[untried] = hit_bits * expected[untried]
    if handicaps is not None:
        worth_of_cells -= handicaps

    def worth_beside(salvo: HitNumbers | HitPatterns) -> Counts:
        worth: Counts = salvo.bits() + worth_of_cells
        worth[list(salvo.chosen)] = -np.inf
        return worth

    for place in range(count):
        salvo = salvo.insert(place, int(worth_beside(salvo).argmax()))
    newest = count - 1  # the place of the cell that was chosen last: the best beside the others
    for place in SWEEPS * [*range(count)]:
        if place == newest:
            break
        others = salvo.without(place)
        worth = worth_beside(others)
        best = int(worth.argmax())
        if worth[best] > worth[salvo.chosen[place]] + 1e-6:
            salvo, newest = others.insert(place, best), place
    return list(salvo.chosen)

"""The best set of cells for one salvo, whose shots are all chosen before any result is reported."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from arena import Bot
from bots.tactics.posterior.belief import Belief, highest
from bots.tactics.posterior.board import Bools, Counts
from bots.tactics.posterior.explanations import ImpossibleEvidenceError

__all__ = [
    "HIT_BITS",
    "HIT_BITS_ALONE",
    "best_counted_set",
    "best_salvo",
    "best_set",
    "likely_salvo",
    "likely_set",
]

LAYOUTS = 2_000
"""How many layouts are drawn for a salvo."""

HIT_BITS_ALONE = 0.5
HIT_BITS = 6.0
"""How many bits of information an expected hit is worth.

In a solo game only the last ship counts, and information finds it soonest; in a game for two, every
ship that is sunk early takes a shot from the opponent.
"""

MAX_PATTERNS = 2**8
"""Answers distinguished: of more than eight shots, the information of the first eight counts."""

SWEEPS = 2
"""How many rounds of exchanging single cells there are at most."""


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
    choose: Callable[[Bools, Sequence[int], int], list[int]],
) -> list[int]:
    try:
        layouts = belief.posterior().draw(LAYOUTS, belief.random)
    except ImpossibleEvidenceError:
        return highest(belief.density(), bot.untried, count, bot.random)
    return choose(layouts, bot.untried, count)


def likely_set(layouts: Bools, untried: Sequence[int], count: int) -> list[int]:
    """Return ``count`` cells, each the likeliest if those before it missed.

    Args:
        layouts: Layouts drawn from the posterior, (layouts, cells).
        untried: The cells to choose from.
        count: How many, at most as many as there are.
    """
    cells = np.array(untried)
    covered = layouts[:, cells].astype(np.float32)
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

    As ``best_set``, with the entropy of the number of hits.
    """
    return _search(layouts, untried, count, partial(_worth_counted, hit_bits=hit_bits))


def best_set(layouts: Bools, untried: Sequence[int], count: int, hit_bits: float) -> list[int]:
    """Return ``count`` cells whose answer says most about the layout and hits most.

    The worth of a set is the entropy of the pattern of its hits, in bits, plus ``hit_bits`` for
    each expected hit, both over the layouts. The search adds the best cell again and again, and
    then exchanges single cells for better ones.

    Args:
        layouts: Layouts drawn from the posterior, (layouts, cells).
        untried: The cells to choose from.
        count: How many, at most as many as there are.
        hit_bits: How many bits of information an expected hit is worth.
    """
    return _search(layouts, untried, count, partial(_worth, hit_bits=hit_bits))


def _search(
    layouts: Bools,
    untried: Sequence[int],
    count: int,
    worth_of: Callable[[Counts, Sequence[int]], Counts],
) -> list[int]:
    """Add the best cell again and again, then exchange single cells for better ones."""
    cells = np.array(untried)
    covered = layouts[:, cells].astype(np.float32)
    chosen: list[int] = []
    for _ in range(count):
        chosen.append(int(worth_of(covered, chosen).argmax()))
    for _ in range(SWEEPS):
        before = list(chosen)
        for place in range(count):
            others = chosen[:place] + chosen[place + 1 :]
            worth = worth_of(covered, others)
            best = int(worth.argmax())
            if worth[best] > worth[chosen[place]] + 1e-6:
                chosen[place] = best
        if chosen == before:
            break
    return [int(cells[index]) for index in chosen]


def _worth(covered: Counts, chosen: Sequence[int], hit_bits: float) -> Counts:
    """Return what each cell adds to the worth of those chosen, up to a common constant."""
    pattern = np.zeros(len(covered), np.intp)
    for index in chosen:
        if 2 * pattern.max(initial=0) + 2 > MAX_PATTERNS:
            break
        pattern = 2 * pattern + (covered[:, index] > 0)
    seen, number = np.unique(pattern, return_inverse=True)
    alike = np.zeros((len(seen), len(covered)), np.float32)
    alike[number, np.arange(len(covered))] = 1
    hits = alike @ covered
    misses = alike.sum(axis=1)[:, None] - hits
    # The entropy that the cell adds, except for a term that is the same for all.
    bits = -(_log_weighted(hits) + _log_weighted(misses)).sum(axis=0) / len(covered)
    worth = bits + hit_bits * covered.mean(axis=0)
    worth[list(chosen)] = -np.inf
    return np.asarray(worth, np.float32)


def _worth_counted(covered: Counts, chosen: Sequence[int], hit_bits: float) -> Counts:
    """Return what each cell adds to the worth of those chosen, if hits are only counted."""
    number = covered[:, list(chosen)].sum(axis=1).astype(np.intp)
    alike = np.zeros((len(chosen) + 1, len(covered)), np.float32)
    alike[number, np.arange(len(covered))] = 1
    hits = alike @ covered
    after = np.zeros((len(chosen) + 2, covered.shape[1]), np.float32)
    after[:-1] += alike.sum(axis=1)[:, None] - hits
    after[1:] += hits
    bits = -_log_weighted(after).sum(axis=0) / len(covered)
    worth = bits + hit_bits * covered.mean(axis=0)
    worth[list(chosen)] = -np.inf
    return np.asarray(worth, np.float32)


def _log_weighted(counts: Counts) -> Counts:
    return counts * np.log2(np.maximum(counts, 1))

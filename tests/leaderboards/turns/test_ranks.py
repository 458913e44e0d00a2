"""Ranks of means change where a lead passes what is sure, computed here layout by layout."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
import scipy

from leaderboards.elo.simultaneous import critical_value
from leaderboards.turns.differences import Searches, ranks_of
from leaderboards.turns.means import error_of_mean

FEWEST, MOST = 1 - 1e-6, 1 + 1e-6


def searches(numbers: dict[int, float], *, in_blocks: bool = False) -> Searches:
    """Return the turns of a bot by layout, three layouts a block if they are known to be alike."""
    games = pd.DataFrame({"layout": list(numbers), "turns": list(numbers.values())})
    if in_blocks:
        games = games.assign(luck=0.0, block=games["layout"] // 3)
    return Searches(games, "turns")


def drawn(layouts: Sequence[int], seed: int) -> dict[int, float]:
    hardness = np.random.default_rng(1).normal(0, 3, 40)
    noise = np.random.default_rng(seed).normal(0, 2, 40)
    return {layout: 20 + hardness[layout] + noise[layout] for layout in layouts}


def shared(one: dict[int, float], other: dict[int, float]) -> float:
    """Return the covariance of two means by the layouts that they have in common."""
    common = sorted(one.keys() & other.keys())
    mine, theirs = np.mean(list(one.values())), np.mean(list(other.values()))
    products = [(one[at] - mine) * (other[at] - theirs) for at in common]
    each = sum(products) / (len(common) - 1)
    return float(each * len(common) / len(one) / len(other))


def spans(*bots: dict[int, float], in_blocks: bool = False) -> list[list[int]]:
    best, worst = ranks_of([searches(one, in_blocks=in_blocks) for one in bots])
    return [best.tolist(), worst.tolist()]


def later(numbers: dict[int, float], by: float) -> dict[int, float]:
    return {layout: number + by for layout, number in numbers.items()}


@pytest.mark.parametrize("in_blocks", [False, True])
def test_two_bots_differ_from_students_quantile_on(*, in_blocks: bool) -> None:
    one, other = drawn(range(12), 2), drawn(range(6, 21), 3)
    blocks = [np.array(list(bot)) // 3 if in_blocks else None for bot in (one, other)]
    values = [np.array(list(bot.values())) for bot in (one, other)]
    errors = [error_of_mean(bot, at) for bot, at in zip(values, blocks, strict=True)]
    wider = [error.value / scipy.stats.sem(bot) for error, bot in zip(errors, values, strict=True)]
    variance = sum(error.value**2 for error in errors)
    variance -= 2 * shared(one, other) * wider[0] * wider[1]
    quantile = scipy.stats.t.ppf(0.975, min(error.degrees for error in errors))
    start = values[0].mean() - values[1].mean()
    lead = quantile * np.sqrt(variance)
    assert spans(one, later(other, start + lead * FEWEST), in_blocks=in_blocks) == [[1, 1], [2, 2]]
    assert spans(one, later(other, start + lead * MOST), in_blocks=in_blocks) == [[1, 2], [1, 2]]


def test_steady_lead_is_sure_from_what_rounding_explains_on() -> None:
    one = drawn(range(5), 2)
    lead = scipy.stats.t.ppf(0.975, 4) * np.sqrt(1 / 12 / 5)
    assert spans(one, later(one, lead * FEWEST)) == [[1, 1], [2, 2]]
    assert spans(one, later(one, lead * MOST)) == [[1, 2], [1, 2]]


def test_three_bots_differ_from_the_largest_difference_of_equals_on() -> None:
    bots = [drawn(range(12), 2), drawn(range(6, 21), 3), drawn(range(9, 19), 4)]
    covariance = np.array(
        [
            [
                scipy.stats.sem(list(one.values())) ** 2 if one is other else shared(one, other)
                for other in bots
            ]
            for one in bots
        ]
    )
    means = [np.mean(list(one.values())) for one in bots]
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    lead = critical_value(covariance, 9) * np.sqrt(variance)
    one, second, third = bots
    far = later(third, means[0] - means[2] + 100)
    close, apart = (later(second, means[0] - means[1] + lead * share) for share in (0.999, 1.001))
    assert spans(one, close, far) == [[1, 1, 3], [2, 2, 3]]
    assert spans(one, apart, far) == [[1, 2, 3], [1, 2, 3]]


def test_bots_of_which_one_searched_a_single_layout_may_have_any_rank() -> None:
    assert spans(drawn(range(12), 2), {3: 400.0}) == [[1, 1], [2, 2]]
    assert spans(drawn([1, 2], 2), later(drawn([1, 2], 2), 9)) == [[1, 2], [1, 2]]
    assert spans(drawn(range(12), 2)) == [[1], [1]]
    assert spans() == [[], []]

"""What one number a bot does not describe is found from stated limits on, and not before."""

from collections import defaultdict

import numpy as np
import pytest
import scipy
from scipy import special

from leaderboards.elo.estimate import Estimate, estimated
from leaderboards.elo.game_counts import Field, field_of
from leaderboards.elo.misfits import Pairings, compared_pairings, sure_cycles, surprising
from leaderboards.inputs import checked_games
from tests.leaderboards.told_games import games

MET = {
    "ada bo": "++-++-+=--+-++",
    "bo cy": "+-+-++--+=",
    "ada cy": "+++---++-+++-+++",
    "bo dot": "-+",
}
ALIKE = {
    "ada bo": "++++----++++--",
    "bo cy": "---+++++----",
    "ada cy": "+=++++++----",
    "bo dot": "-+",
}


def field(met: dict[str, str], *, a_block: int | None = None) -> Field:
    return field_of(checked_games(games(met, a_block=a_block)))


def rated(met: dict[str, str], *, a_block: int | None = None) -> tuple[Field, Estimate]:
    found = field(met, a_block=a_block)
    return found, estimated(found, 0.25)


@pytest.mark.parametrize(
    ("met", "a_block", "pooling"), [(MET, None, 100), (MET, 2, 10), (ALIKE, 2, 10)]
)
def test_scatter_of_a_pairing_is_that_of_its_units_about_their_own_mean(
    met: dict[str, str], a_block: int | None, pooling: float
) -> None:
    found, estimate = rated(met, a_block=a_block)
    surplus, variance, number = defaultdict(list), defaultdict(list), defaultdict(list)
    for one, other, outcomes, count in zip(
        found.one, found.other, found.outcomes.tolist(), found.counts, strict=True
    ):
        ours, theirs = estimate.score[one, other], 1 - estimate.score[other, one]
        (won, drawn, lost), (beaten, even, beat) = outcomes
        first, second = won + drawn + lost, beaten + even + beat
        points = won + beat + (drawn + even) / 2
        for _ in range(count):
            surplus[one, other].append(points - first * ours - second * theirs)
            spread = first * ours * (1 - ours) + second * theirs * (1 - theirs)
            variance[one, other].append(spread)
            number[one, other].append(first + second)
    seen, possible = {}, {}
    for two in surplus:
        mean = sum(surplus[two]) / sum(number[two])
        away = [more - mean * of for more, of in zip(surplus[two], number[two], strict=True)]
        seen[two] = sum(one**2 for one in away)
        free = len(away) - 1
        possible[two] = sum(variance[two]) * free / len(away)
    of_all = sum(seen.values()) / sum(possible.values())
    assert estimate.joint is not None
    fit = estimate.joint.fit
    told = compared_pairings(found, fit, estimate.score)
    pairings = list(zip(told.one.tolist(), told.other.tolist(), strict=True))
    assert pairings == sorted(surplus) == [(0, 1), (0, 2), (1, 2), (1, 3)]
    for place, two in enumerate(pairings):
        free = len(surplus[two]) - 1
        own = seen[two] / possible[two] if free else 0.0
        factor = (free * own + pooling * of_all) / (free + pooling)
        assert told.surplus[place] == pytest.approx(sum(surplus[two]))
        assert told.variance[place] == pytest.approx(sum(variance[two]))
        assert told.factor[place] == pytest.approx(max(factor, fit.least_factor()))
    assert (told.factor.max() > fit.least_factor()) == (met is ALIKE or a_block is None)
    units = [len(one) - 1 for one in surplus.values()]
    assert told.degrees == pytest.approx(min(np.mean(units) + pooling, sum(units)))


def test_nothing_is_known_of_a_single_unit_a_pairing() -> None:
    found, estimate = rated({"ada bo": "+-", "bo cy": "+-"})
    assert estimate.joint is not None
    told = compared_pairings(found, estimate.joint.fit, estimate.score)
    assert told.degrees == 0
    assert told.factor.tolist() == [1, 1]
    assert told.quantile(0.4) == np.inf


def test_pairing_that_is_not_predicted_scatters_about_a_half() -> None:
    found, estimate = rated({"ada bo": "++-+", "bo cy": "+-+-"})
    assert estimate.joint is not None
    unknown = estimate.score.copy()
    unknown[1, 2] = unknown[2, 1] = np.nan
    told = compared_pairings(found, estimate.joint.fit, unknown)
    assert told.variance[1] == 1
    assert np.isnan(told.surplus).tolist() == [False, True]


def pairings(share: float, *, degrees: float, number: int = 1, variance: float = 9.0) -> Pairings:
    """Return pairings of which the last is so many standard deviations off, the others not."""
    off = np.array([0.0] * (number - 1) + [-share])
    every = np.full(number, 1)
    return Pairings(
        every, every, off * np.sqrt(variance * 2.25), every * variance, every * 2.25, degrees
    )


@pytest.mark.parametrize(
    ("degrees", "number", "needed"),
    [
        (1e6, 1, 4.0),
        (1e6, 700, 4.0),
        (1e6, 1000, -special.ndtri(0.025 / 1000)),
        (4, 1, 4.0),
        (4, 4, -special.stdtrit(4, 0.025 / 4)),
        (9, 40, -special.stdtrit(9, 0.025 / 40)),
    ],
)
def test_score_is_surprising_from_four_deviations_on_and_beyond_bonferronis(
    degrees: float, number: int, needed: float
) -> None:
    for share, surely in ((0.999, False), (1.001, True)):
        told = surprising(pairings(needed * share, degrees=degrees, number=number))
        assert told.tolist() == [False] * (number - 1) + [surely]


def test_few_points_and_no_degrees_surprise_nobody() -> None:
    assert not surprising(pairings(9, degrees=1e6, variance=2.0)).any()
    assert surprising(pairings(9, degrees=1e6, variance=2.001)).all()
    assert not surprising(pairings(1e9, degrees=0)).any()
    assert surprising(pairings(9, degrees=9, number=0)).tolist() == []


def cycles(met: dict[str, str], factor: float, degrees: float = 1e6) -> list[str]:
    found = field(met)
    one, other = np.unique([found.one, found.other], axis=1)
    every = np.ones(len(one))
    told = Pairings(one, other, 0 * every, every, factor * every, degrees)
    return [" ".join(found.bots[bot] for bot in cycle) for cycle in sure_cycles(found, told)]


@pytest.mark.parametrize(
    ("others", "chance"), [(0, 0.025), (15, 0.025), (16, 0.45 / 19), (27, 0.45 / 30)]
)
def test_circle_is_named_where_each_of_its_wins_is_sure(others: int, chance: float) -> None:
    met = dict.fromkeys(("ada bo", "bo cy", "cy ada"), "+" * 30 + "-" * 10 + "==")
    met |= {f"ada x{number:02d}": "+-" for number in range(others)}
    # Twenty more wins than losses in forty games, but one for the jump between numbers.
    most = (19 / scipy.stats.norm.isf(chance)) ** 2 / 40
    assert cycles(met, most * 0.999) == ["ada bo cy"]
    assert cycles(met, most * 1.001) == []
    few = (19 / scipy.stats.t.isf(chance, 5)) ** 2 / 40
    assert cycles(met, few * 0.999, degrees=5) == ["ada bo cy"]
    assert cycles(met, few * 1.001, degrees=5) == []


def test_shortest_circles_are_named_and_no_bot_twice() -> None:
    won = "+" * 30
    chain = ("a b", "b c", "c d", "d a", "c a", "e f", "f g", "g e", "b e", "h a", "d b")
    assert cycles(dict.fromkeys(chain, won), 1.0) == ["a b c", "d b c", "e f g"]
    assert cycles(dict.fromkeys(("a b", "b c", "a c"), won), 1.0) == []

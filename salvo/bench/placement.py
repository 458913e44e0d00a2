"""`salvo bench placement`: what the placement policy is worth, and what adapting takes back."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from math import hypot
from random import Random

import numpy as np
from tabulate import tabulate

from arena.bot import Bot
from arena.rules import Layout, check_layout, draw, placements, preset, view
from bots.hunt_parity import HuntParity
from bots.posterior_greedy import PosteriorGreedy
from bots.probability_density import ProbabilityDensity
from bots.tactics.placement import place
from bots.tactics.placement.pooled import Pooled
from bots.tactics.placement.scores import SIDE
from bots.tactics.placement.search import Distribution, Features, stored_distribution
from bots.tactics.placement.shooters import COVERS, FIRST, Floats, Indices, draw_layouts, play
from bots.thompson import Thompson
from salvo.bench.alone import turns_at
from salvo.bench.estimates import estimate
from salvo.bench.lines import Note, outcome_line

__all__ = ["placement"]

SEED = 31
SLOW = 20
"""Bots that take a second a game play this many times fewer games."""

BOTS: dict[str, tuple[Callable[[], Bot], int]] = {
    "hunt_parity": (HuntParity, 1),
    "probability_density": (ProbabilityDensity, 1),
    "posterior_greedy": (PosteriorGreedy, SLOW // 4),
    "thompson --block-size 2000": (lambda: Thompson(2000), SLOW // 4),
}
"""What makes each bot, and how many times fewer games it plays."""

LEARNED = (10, 100, 1000)
SHARES = (0.5, 1.0, 1.5)
POOL = 100_000
BATCH = 10_000
DOUBT = 20
"""Uniform layouts that a learner believes it has seen before the first."""


def placement(games: int, seed: int) -> Iterator[str]:
    """Compare the shots that bots need for our layouts and for uniform ones, in classic.

    The shooters that count placements play many games of probability_density at once; some of them
    know the distribution of our layouts, or have learned it from some number of them. Those with a
    pool of layouts shoot where most of those that agree with the answers have a ship.

    Args:
        games: How many layouts of each kind.
        seed: What they derive from.

    Yields:
        A note for each bot, the table, what it shows, and the outcome.
    """
    rules = preset("classic")
    random = Random(seed)
    uniform = [draw(rules, random) for _ in range(games)]
    ours = [check_layout(rules, place(view(rules), random)) for _ in range(games)]
    rows = []
    for shooter, (make, fewer) in BOTS.items():
        few = games // fewer
        rows.append(
            _row(shooter, *(turns_at(make(), rules, part[:few]) for part in (uniform, ours)))
        )
        yield Note(" ".join(rows[-1][:1] + rows[-1][3:]))
    numbers = _numbers(uniform), _numbers(ours)
    draws = np.random.default_rng(seed)
    rows += _counting(*numbers, draws)
    few = games // SLOW * 4
    rows += _pooled(numbers[0][:few], numbers[1][:few], draws)
    headers = ["shooter", "uniform", "ours", "gain", "wins"]
    align = ("left",) + ("right",) * 4
    yield str(tabulate(rows, headers, disable_numparse=True, colalign=align))
    yield (
        "\nMean turns to sink all, with 95% intervals. Gain is over the same shooter at uniform "
        "layouts; for a shooter that adapts, over the one of its kind that does not. Wins is the "
        "share of games that a shooter wins with our layouts against itself with uniform ones, "
        "the seats swapped half the time."
    )
    gain = next(row for row in rows if row[0] == "probability_density")
    outcome = {
        "benchmark": "placement",
        "ratio": round(float(gain[2].split()[0]) / float(gain[1].split()[0]), 4),
        "gains": {row[0]: row[3] for row in rows},
        "games": games,
    }
    yield outcome_line(outcome)


def _counting(uniform: Indices, ours: Indices, draws: np.random.Generator) -> list[list[str]]:
    """Return the rows of the shooters that count plainly, know our distribution, or learn it."""
    distribution = stored_distribution(Features())
    base = play(uniform, None, draws).tolist()
    rows = [_row("counts plainly", base, play(ours, None, draws).tolist())]
    for share in SHARES:
        shots = play(ours, distribution.weights(share), draws).tolist()
        rows.append(_row(f"counts, knows {share:g} of the distribution", base, shots))
    for seen in LEARNED:
        weights = _learn(distribution, _drawn_by_policy(seen, draws), uniform)
        rows.append(_row(f"counts, saw {seen} layouts", base, play(ours, weights, draws).tolist()))
    return rows


def _pooled(uniform: Indices, ours: Indices, draws: np.random.Generator) -> list[list[str]]:
    """Return the rows of the shooters that compare with a pool of layouts."""
    distribution = stored_distribution(Features())
    plain, ones = draw_layouts(POOL, draws), np.ones(len(COVERS), np.float32)
    base = Pooled(uniform, ones, plain, draws).shots().tolist()
    unknowing = Pooled(ours, ones, plain, draws).shots().tolist()
    knowing = (
        Pooled(ours, distribution.weights(), _drawn_by_policy(POOL, draws), draws).shots().tolist()
    )
    return [
        _row(f"pool of {POOL:,}, uniform", base, unknowing),
        _row(f"pool of {POOL:,}, ours", base, knowing),
    ]


def _drawn_by_policy(number: int, draws: np.random.Generator) -> Indices:
    """Draw layouts as the policy does, many at once."""
    features = Features()
    distribution = stored_distribution(features)
    kept: list[Indices] = []
    while sum(map(len, kept)) < number:
        layouts = draw_layouts(max(number, BATCH), draws)
        scores = features.of(layouts) @ distribution.scores
        odds = np.exp(np.minimum(scores, distribution.cap) - distribution.cap)
        kept.append(layouts[draws.random(len(layouts)) < odds])
    return np.concatenate(kept)[:number]


def _numbers(layouts: Sequence[Layout]) -> Indices:
    """Return layouts as the numbers of their ships' placements, longest first."""
    places = {
        mask: first + number
        for length, first in FIRST.items()
        for number, mask in enumerate(placements(SIDE, SIDE, length))
    }
    numbered = [sorted(places[mask] for mask in layout) for layout in layouts]
    return np.array(numbered)


def _learn(distribution: Distribution, seen: Indices, uniform: Indices) -> Floats:
    """Return what placements count after some layouts: how often their class was met, or is."""
    classes = distribution.features.classes
    size = len(distribution.features.names)
    met = np.bincount(classes[seen].ravel(), minlength=size)
    usual = (np.bincount(classes[uniform].ravel(), minlength=size) + 1) / len(uniform)
    odds = (met + DOUBT * usual) / ((len(seen) + DOUBT) * usual)
    weights: Floats = odds[classes].astype(np.float32)
    return weights


def _row(shooter: str, uniform: Sequence[int], ours: Sequence[int]) -> list[str]:
    usual, found = estimate(uniform), estimate(ours)
    half = hypot(usual.half, found.half)  # the layouts are not the same: the two are independent
    cells = [f"{part.value:.2f} ± {part.half:.2f}" for part in (usual, found)]
    gain = f"{found.value - usual.value:+.2f} ± {half:.2f}"
    return [shooter, *cells, gain, f"{_wins(uniform, ours):.1%}"]


def _wins(own: Sequence[int], theirs: Sequence[int]) -> float:
    """Return how often ``own`` turns are fewer than ``theirs``, of equal ones half the time."""
    ordered = sorted(theirs)
    wins = sum(
        2 * len(ordered) - bisect_left(ordered, turns) - bisect_right(ordered, turns)
        for turns in own
    )
    return wins / (2 * len(own) * len(theirs))

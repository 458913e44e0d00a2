"""Tests the choice of the games to play next."""

from itertools import combinations

import numpy as np
import pytest

from leaderboards.elo.allocation import next_blocks
from leaderboards.elo.closeness import nats_beyond_near
from leaderboards.elo.elo_table import ELO_PER_NAT
from leaderboards.elo.game_counts import Floats, Integers


def played(met: dict[tuple[int, int], tuple[int, float]], size: int) -> tuple[Integers, Floats]:
    """Return games and points of the row, from games and points of the first of two."""
    games, points = np.zeros((size, size), dtype=np.int64), np.zeros((size, size))
    for (one, other), (number, won) in met.items():
        games[one, other] = games[other, one] = number
        points[one, other], points[other, one] = won, number - won
    return games, points


def test_everybody_plays_before_anybody_plays_twice() -> None:
    chosen = next_blocks(*played({}, 6), 3, 20)
    assert sorted(bot for pair in chosen for bot in pair) == list(range(6))


def test_odd_one_out_meets_somebody_who_has_played() -> None:
    *pairs, (one, other) = next_blocks(*played({}, 5), 3, 20)
    met = {bot for pair in pairs for bot in pair}
    assert len(met) == 4
    assert one in met
    assert other not in met


def test_newcomers_meet_those_who_have_played_as_well_as_one_another() -> None:
    met = dict.fromkeys(combinations(range(4), 2), (200, 100.0))
    assert next_blocks(*played(met, 6), 3, 20) == [(4, 5), (0, 4), (1, 5)]


def test_bot_with_too_few_games_comes_first() -> None:
    met = {(0, 1): (200, 100.0), (1, 2): (200, 100.0), (0, 2): (200, 100.0)}
    [pair] = next_blocks(*played(met, 4), 1, 20)
    assert 3 in pair


def test_bots_far_apart_meet_less_than_near_ones() -> None:
    # Three equal bots, and three equal ones about 500 Elo below.
    strong, weak = range(3), range(3, 6)
    met = {pair: (40, 20.0) for group in (strong, weak) for pair in combinations(group, 2)}
    met |= {(one, other): (40, 38.0) for one in strong for other in weak}
    chosen = next_blocks(*played(met, 6), 30, 20)
    assert sum(one in strong and other in weak for one, other in chosen) < 30 * 9 / 15


def test_undecided_lead_gets_more_games_than_a_sure_one() -> None:
    every = {(0, 1): (400, 205.0), (0, 2): (400, 370.0), (1, 2): (400, 368.0)}
    chosen = next_blocks(*played(every, 3), 9, 20)
    assert chosen.count((0, 1)) == max(chosen.count(pair) for pair in every)


SHARES = (0.55, 0.6, 0.75, 0.97, 0.5, 0.7, 0.95, 0.6, 0.93, 0.9)


@pytest.mark.parametrize(
    ("blocks", "number"),
    [
        ((6, 10, 8, 4, 12, 5, 7, 10, 6, 9), 6),
        ((6, 10, 8, 0, 12, 5, 0, 10, 0, 1), 14),
        ((6, 1, 8, 0, 12, 0, 3, 0, 0, 0), 14),
        ((0,) * 10, 9),
    ],
    ids=["all have enough", "one has few", "two have few", "nobody has played"],
)
def test_each_block_is_the_one_that_leaves_least_of_the_weighted_variances(
    blocks: tuple[int, ...], number: int
) -> None:
    pairs = list(combinations(range(5), 2))
    games, points = played(
        {
            pair: (20 * had, 20 * had * share)
            for pair, had, share in zip(pairs, blocks, SHARES, strict=True)
        },
        5,
    )
    beyond = nats_beyond_near(games, points)
    assert beyond.any() == (blocks[0] > 0)
    told = 1 / (2 + 2 * np.cosh(beyond))
    weight = 1 + 2 * np.exp(-((beyond * ELO_PER_NAT / 100) ** 2) / 2)
    apart = {(one, other): np.eye(5)[one] - np.eye(5)[other] for one, other in pairs}

    def known(pair: tuple[int, int], number: float) -> Floats:
        return np.asarray(number * told[pair] * np.outer(apart[pair], apart[pair]))

    precision = np.eye(5) * (ELO_PER_NAT / 300) ** 2
    precision += sum(known(pair, games[pair]) for pair in pairs)
    had = games.sum(axis=1) // 20
    # Everybody gets half of an even share, at least.
    least = np.ceil((had.sum() + 2 * number) / 5 / 2)
    for chosen in next_blocks(games, points, number, 20):
        left = {}
        for pair in pairs:
            covariance = np.linalg.inv(precision + known(pair, 20))
            left[pair] = sum(weight[two] * apart[two] @ covariance @ apart[two] for two in pairs)
        short = [pair for pair in pairs if min(had[list(pair)]) < least]
        fresh = [pair for pair in pairs if max(had[list(pair)]) < least]
        allowed = short or pairs
        if fresh and not games.any():
            allowed = fresh
        assert chosen == min(allowed, key=lambda pair: (round(left[pair], 6), pair))
        precision += known(chosen, 20)
        had[list(chosen)] += 1


def test_same_games_give_the_same_blocks() -> None:
    generator = np.random.default_rng(1)
    games = generator.integers(0, 5, (12, 12)) * 20
    games = np.triu(games, 1) + np.triu(games, 1).T
    share = np.triu(generator.random((12, 12)), 1)
    points = games * (share + np.tril(1 - share.T, -1))
    assert next_blocks(games, points, 10, 20) == next_blocks(games.copy(), points.copy(), 10, 20)

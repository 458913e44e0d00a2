"""That seeds tied to the seat let the luck of a pair cancel.

The score of a pair is the number of its two games that one bot wins: 0, 1 or 2.
"""

from collections.abc import Callable

import pytest

from arena.rules import preset
from arena.schedule import seat_seeds

PAIRS = 200
SALVO = preset("salvo")

Variance = Callable[..., float]


def tied_to_seat(pair: int) -> list[tuple[int, int]]:
    return [seat_seeds(1, SALVO, ("a", "b"), pair)] * 2


def tied_to_bot(pair: int) -> list[tuple[int, int]]:
    seeds = seat_seeds(1, SALVO, ("a", "b"), pair)
    return [seeds, seeds[::-1]]


def independent(pair: int) -> list[tuple[int, int]]:
    return [seat_seeds(seed, SALVO, ("a", "b"), pair) for seed in (1, 2)]


def test_equal_bots_share_every_pair_if_seeds_are_tied_to_the_seat_and_not_otherwise(
    variance: Variance,
) -> None:
    bots = ("hunt_parity", "hunt_parity")
    assert variance(SALVO, bots, PAIRS, tied_to_seat) == 0
    assert variance(SALVO, bots, PAIRS, independent) > 0.3
    assert variance(SALVO, bots, PAIRS, tied_to_bot) > 0.5


@pytest.mark.parametrize(
    "bots", [("hunt_target", "hunt_parity"), ("hunt_parity", "probability_density")]
)
def test_pair_score_of_unlike_bots_varies_less_than_if_seeds_followed_them(
    variance: Variance, bots: tuple[str, str]
) -> None:
    tied = variance(SALVO, bots, PAIRS, tied_to_seat)
    assert tied < 0.85 * variance(SALVO, bots, PAIRS, tied_to_bot)
    # Bots that do other things with one seed gain no more by it than by seeds of their own.
    assert tied < 1.15 * variance(SALVO, bots, PAIRS, independent)

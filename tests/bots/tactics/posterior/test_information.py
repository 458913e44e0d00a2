"""What the answer to a salvo says: counted step by step, and counted anew."""

import numpy as np
import pytest

from bots.tactics.posterior.board_placements import Counts
from bots.tactics.posterior.information import MOST_SHOTS, HitNumbers, HitPatterns
from bots.tactics.posterior.ship_layouts import ShipLayouts

LAYOUTS = np.random.default_rng(1).random((200, 20)) < 0.3
CELLS = LAYOUTS.shape[1]


def told_apart(chosen: tuple[int, ...], cell: int) -> float:
    """Return the entropy of the answer to a salvo and one more cell, in bits."""
    shot = [*chosen[:MOST_SHOTS], cell]
    _, counts = np.unique(LAYOUTS[:, shot], axis=0, return_counts=True)
    shares = counts / len(LAYOUTS)
    return float(-(shares * np.log2(shares)).sum())


def relative(bits: Counts) -> Counts:
    return bits - bits[0]


@pytest.mark.parametrize("shots", [0, 1, 4, MOST_SHOTS, MOST_SHOTS + 1, 12])
def test_bits_are_those_of_the_first_shots_whatever_was_exchanged(shots: int) -> None:
    salvo = HitPatterns.of(ShipLayouts.of_cells(LAYOUTS))
    for place in range(shots):
        salvo = salvo.insert(place, place)
    for place in range(shots):
        salvo = salvo.without(place).insert(place, 16 - place if place < 4 else place)
    assert salvo.chosen == tuple(16 - place if place < 4 else place for place in range(shots))
    every = range(CELLS)
    direct = np.array([told_apart(salvo.chosen, cell) for cell in every])
    assert relative(salvo.bits()) == pytest.approx(relative(direct), abs=1e-5)
    for place in range(shots):
        others = salvo.without(place)
        direct = np.array([told_apart(others.chosen, cell) for cell in every])
        assert relative(others.bits()) == pytest.approx(relative(direct), abs=1e-5)


def test_expected_hits_are_the_shares_of_layouts() -> None:
    found = HitPatterns.of(ShipLayouts.of_cells(LAYOUTS)).expected_hits()
    assert found == pytest.approx(LAYOUTS.mean(axis=0))


@pytest.mark.parametrize("shots", [0, 1, 4])
def test_bits_of_a_number_of_hits_are_its_entropy(shots: int) -> None:
    salvo = HitNumbers.of(LAYOUTS)
    assert salvo.expected_hits() == pytest.approx(LAYOUTS.mean(axis=0))
    for place in range(shots):
        salvo = salvo.insert(place, place)
    if shots > 1:
        salvo = salvo.without(1).insert(0, 9)
        assert salvo.chosen == (9, 0, *range(2, shots))

    def entropy(cell: int) -> float:
        numbers = LAYOUTS[:, [*salvo.chosen, cell]].sum(axis=1)
        shares = np.unique(numbers, return_counts=True)[1] / len(LAYOUTS)
        return float(-(shares * np.log2(shares)).sum())

    others = [cell for cell in range(CELLS) if cell not in salvo.chosen]
    direct = np.array([entropy(cell) for cell in others])
    # Up to the logarithm of the number of layouts
    assert salvo.bits()[others] == pytest.approx(direct - np.log2(len(LAYOUTS)), abs=1e-5)

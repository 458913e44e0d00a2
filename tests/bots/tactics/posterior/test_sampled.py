"""Beliefs by samples say how sure they are, and draw more where nothing agrees."""

import numpy as np
import pytest

from arena.rules import CellsReport, Report, Rules, Ship, preset, view
from bots.tactics.posterior.belief import Marginals, can_follow
from bots.tactics.posterior.board_placements import Floats
from bots.tactics.posterior.explanations import ImpossibleEvidenceError
from bots.tactics.posterior.sampled import Sample, SampledBelief
from bots.tactics.posterior.sampling import can_sample

LAYOUTS = np.array([[1, 1, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 0, 1, 1]], bool)
WEIGHTS = np.array([3.0, 1.0, 1.0])
ROW = Rules(name="row", rows=1, columns=5, fleet=(Ship("two", 2),))


class Drawing(SampledBelief):
    """Draws three layouts, after some tries at which none agrees."""

    def __init__(self, *, exact: bool = False, in_vain: int = 0) -> None:
        super().__init__(view(ROW), np.random.default_rng(1), 10)
        self.exact, self.in_vain = exact, in_vain
        self.numbers: list[int] = []

    def _observe(self, cells: tuple[int, ...], report: Report) -> None:
        pass

    def _draw(self, number: int) -> Sample:
        self.numbers.append(number)
        if len(self.numbers) <= self.in_vain:
            raise ImpossibleEvidenceError
        return Sample(LAYOUTS, WEIGHTS, LAYOUTS, exact=self.exact)

    def density(self) -> Floats:
        return np.arange(5.0)


def test_probabilities_are_weighted_means_with_the_largest_error() -> None:
    found = Drawing().marginals()
    assert found.cells == pytest.approx([0.6, 0.8, 0.2, 0.2, 0.2])
    effective = 25 / 11
    assert (found.exact, found.effective) == (False, pytest.approx(effective))
    assert found.error == pytest.approx(np.sqrt(0.6 * 0.4 / effective))
    assert np.isnan(found.layouts)


def test_all_layouts_have_no_error() -> None:
    cells, *others = Drawing(exact=True).marginals()
    assert cells == pytest.approx([0.6, 0.8, 0.2, 0.2, 0.2])
    assert others == [*Marginals(cells, exact=True, layouts=3, effective=3, error=0.0)[1:]]


@pytest.mark.parametrize(("in_vain", "numbers"), [(0, [10]), (1, [10, 40]), (2, [10, 40, 160])])
def test_four_times_as_many_are_drawn_where_none_agrees(in_vain: int, numbers: list[int]) -> None:
    belief = Drawing(in_vain=in_vain)
    assert belief.cells() == pytest.approx([0.6, 0.8, 0.2, 0.2, 0.2])
    belief.worth()
    assert belief.numbers == numbers
    belief.read((0,), CellsReport((), ()))
    belief.cells()
    assert belief.numbers == [*numbers, 10]


def test_after_three_tries_in_vain_a_density_is_all_that_is_known() -> None:
    belief = Drawing(in_vain=3)
    with pytest.raises(ImpossibleEvidenceError):
        belief.draws()
    assert belief.numbers == [10, 40, 160]
    belief = Drawing(in_vain=3)
    assert belief.cells().tolist() == [0, 1, 2, 3, 4]


def test_layouts_are_drawn_as_often_as_they_count() -> None:
    drawn = Drawing().sample(10)
    assert drawn.sum(axis=0).tolist() == [6, 8, 2, 2, 2]
    assert drawn.dtype == bool


@pytest.mark.parametrize(("rows", "follows"), [(20, True), (21, False)])
def test_boards_of_up_to_400_cells_are_followed(rows: int, *, follows: bool) -> None:
    fleet = (Ship("two", 2),)
    plain = Rules(name="large", rows=rows, columns=20, fleet=fleet)
    lies = Rules(name="large", rows=rows, columns=20, fleet=fleet, lies=1)
    assert can_follow(view(plain)) == can_sample(view(plain)) == follows
    assert not can_follow(view(lies))
    assert can_sample(view(lies)) == follows


@pytest.mark.parametrize(
    ("name", "follows", "samples"),
    [
        ("classic", True, True),
        ("afp-immovable", True, True),
        ("afp", False, True),
        ("lies", False, True),
        ("unknown", False, True),
        ("paper", False, True),
    ],
)
def test_each_family_of_rules_is_followed_or_sampled(
    name: str, *, follows: bool, samples: bool
) -> None:
    rules = view(preset(name))
    assert (can_follow(rules), can_sample(rules)) == (follows, samples)

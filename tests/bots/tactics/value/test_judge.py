"""What salvos cost beside the best, and of which nothing is said."""

import pytest
from msgspec.structs import replace

from arena.rules import Rules, Ship, preset, view
from bots.tactics.posterior.evidence import Observation
from bots.tactics.value.judge import Judge

HIT = Observation((6,), (6,), ())


def judge(name: str, *told: Observation, solo: bool = True, seed: int = 1) -> Judge:
    found = Judge(view(replace(preset(name), sinkings="named")), seed, solo=solo)
    for one in told:
        found.observe(one)
    return found


@pytest.mark.parametrize(
    ("told", "costs"),
    [
        ((), {5: 0.0425, 0: 0.3245, 7: 0, 15: 0.0425}),
        ((HIT,), {5: 0.0986, 0: 0.5607, 7: 0, 15: 0.1946}),
    ],
)
@pytest.mark.parametrize("solo", [True, False])
def test_shots_cost_what_more_is_needed_after_them(
    told: tuple[Observation, ...], costs: dict[int, float], *, solo: bool
) -> None:
    judged = judge("ramesh-2", *told, solo=solo)
    for cell, cost in costs.items():
        found = judged.judge([cell])
        assert found is not None
        assert found.cost == pytest.approx(cost, abs=2e-4)
        assert found.best == (7,)


@pytest.mark.parametrize(
    ("solo", "salvo", "cost", "best"),
    [
        (True, (0, 1), 0.2068, (7, 10)),
        (True, (10, 7), 0, (7, 10)),
        (True, (12, 3), 0.1525, (7, 10)),
        (False, (0, 1), 0.2068, (7, 10)),
        (False, (3, 12), 0.1525, (7, 10)),
        (False, (6, 9), 0.0398, (7, 10)),
    ],
)
def test_salvos_cost_what_more_is_needed_after_them(
    *, solo: bool, salvo: tuple[int, ...], cost: float, best: tuple[int, ...]
) -> None:
    found = judge("ramesh-5", solo=solo).judge(salvo)
    assert found is not None
    assert found.cost == pytest.approx(cost, abs=2e-4)
    assert found.best == best


def test_layouts_of_a_large_board_are_drawn_by_the_seed() -> None:
    one, again, other = (judge("classic", seed=seed).judge([0]) for seed in (1, 1, 2))
    assert one == again
    assert one is not None
    assert other is not None
    assert one.cost == pytest.approx(0.32495, abs=2e-4)
    assert other.cost != one.cost
    assert other.cost == pytest.approx(one.cost, abs=0.1)


def test_a_certain_hit_costs_nothing() -> None:
    missed = [Observation((cell,), (), ()) for cell in (7, 1, 5)]
    certain = judge("ramesh-2", HIT, *missed)
    found = certain.judge([11])
    assert (found and found.cost, found and found.best) == (0.0, (11,))
    wrong = certain.judge([20])
    assert wrong is not None
    assert wrong.cost > 0.5
    assert wrong.best == (11,)


@pytest.mark.parametrize(
    ("name", "salvo"), [("ramesh-2", (6,)), ("ramesh-5", (6, 7)), ("ramesh-5", (1, 1))]
)
def test_nothing_is_said_of_cells_that_are_shot_twice(name: str, salvo: tuple[int, ...]) -> None:
    told = HIT if name == "ramesh-2" else Observation((6, 9), (6,), ())
    assert judge(name, told).judge(salvo) is None
    assert judge(name, told).judge([]) is None


def test_rules_are_fit_whose_fleet_is_known_and_whose_shots_can_be_valued() -> None:
    fitted = {name for name in ("classic", "salvo", "unknown", "paper", "afp", "boxed")
              if Judge.fits(view(preset(name)))}  # fmt: skip
    assert fitted == {"classic", "salvo", "boxed"}
    rules = Rules(name="hidden", rows=4, columns=4, fleet=(Ship("two", 2),), sinkings="unnamed")
    assert not Judge.fits(view(replace(rules, fleet_known=False)))

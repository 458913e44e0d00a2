import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from arena import Bot
from arena.referee import play_bots
from arena.rules import (
    Layout,
    Rules,
    Salvo,
    Ship,
    Shoot,
    apply,
    barred,
    begin_solo,
    draw_uniform,
    placements,
    preset,
)
from arena.store import Luck
from bots.tactics.posterior.board_placements import Floats, Indices
from bots.tactics.value.answer_luck import lucks
from bots.tactics.value.chances import Chances
from salvo.reports.tables.luck_adjustment import (
    answers_in,
    luck_of,
    luck_of_game,
    why_not_adjusted,
)

Shooter = Callable[[Rules, Sequence[Salvo]], list[int]]


def small(**given: object) -> Rules:
    fleet = (Ship("long", 3), Ship("short", 2))
    return Rules(name="small", rows=4, columns=3, fleet=fleet, **given)  # type: ignore[arg-type]


def tiny(**given: object) -> Rules:
    return replace(small(), **{"rows": 3} | given)


def every_layout(rules: Rules) -> Iterator[Layout]:
    places = [placements(rules.rows, rules.columns, ship.length) for ship in rules.fleet]
    for layout in itertools.product(*places):
        if not any(
            barred(rules.rows, rules.columns, one, rules.touching) & other
            for one, other in itertools.combinations(layout, 2)
        ):
            yield layout


def untried(rules: Rules, salvos: Sequence[Salvo]) -> list[int]:
    shot = {cell for salvo in salvos for cell in salvo.cells}
    return [cell for cell in range(rules.cells) if cell not in shot]


def in_order(rules: Rules, salvos: Sequence[Salvo]) -> list[int]:
    return untried(rules, salvos)


def beside_hits(rules: Rules, salvos: Sequence[Salvo]) -> list[int]:
    hits = [divmod(cell, rules.columns) for salvo in salvos for cell in salvo.report.hits]  # type: ignore[union-attr]

    def near(cell: int) -> int:
        row, column = divmod(cell, rules.columns)
        return sum(abs(row - down) + abs(column - right) == 1 for down, right in hits)

    order = Random(3).sample(range(rules.cells), rules.cells)
    return sorted(untried(rules, salvos), key=lambda cell: (-near(cell), order[cell]))


def search(rules: Rules, layout: Layout, shooter: Shooter) -> list[Salvo]:
    state = begin_solo(rules, layout)
    salvos: list[Salvo] = []
    while state.request is not None:
        state = apply(state, Shoot(shooter(rules, salvos)[: state.request.shots]))  # type: ignore[union-attr]
        assert state.salvo is not None
        salvos.append(state.salvo)
    return salvos


@pytest.mark.parametrize("shooter", [in_order, beside_hits])
@pytest.mark.parametrize("sinkings", ["named", "unnamed", "silent"])
@pytest.mark.parametrize("shots", [1, 2])
def test_luck_over_every_layout_is_zero(shooter: Shooter, sinkings: str, shots: int) -> None:
    rules = tiny(sinkings=sinkings, shots=shots)
    lucks = [luck_of(rules, search(rules, one, shooter), b"").turns for one in every_layout(rules)]
    assert abs(sum(lucks)) < 1e-9
    assert max(lucks) - min(lucks) > 1


def test_luck_over_every_layout_is_zero_where_some_are_likelier() -> None:
    rules = tiny()
    places = {length: placements(3, 3, length) for length in (3, 2)}

    def odds(lengths: Sequence[int], drawn: Indices) -> Floats:
        return 1.0 + drawn[lengths.index(3)] + 5 * (drawn[lengths.index(2)] == 0)

    total = plain = 0.0
    for layout in every_layout(rules):
        numbers = [[places[ship.bit_count()].index(ship)] for ship in layout]
        weight = float(odds((3, 2), np.array(numbers))[0])
        told, alike = (
            answers_in(rules, search(rules, layout, beside_hits), b"", one) for one in (odds, None)
        )
        assert told is not None
        assert alike is not None
        total += weight * lucks(*told).sum()
        plain += weight * lucks(*alike).sum()
    assert abs(total) < 1e-9
    assert abs(plain) > 1


def test_luck_over_every_layout_of_ships_apart_is_zero() -> None:
    rules = small(touching="never")
    lucks = [
        luck_of(rules, search(rules, one, beside_hits), b"").turns for one in every_layout(rules)
    ]
    assert abs(sum(lucks)) < 1e-9


@pytest.mark.parametrize("sinkings", ["named", "silent"])
def test_luck_over_every_layout_is_zero_where_hits_name_ships_of_one_length(sinkings: str) -> None:
    fleet = (Ship("one", 2), Ship("other", 2), Ship("single", 1))
    rules = tiny(fleet=fleet, columns=2, sinkings=sinkings, hits_named=True)
    lucks = [
        luck_of(rules, search(rules, one, beside_hits), b"").turns for one in every_layout(rules)
    ]
    assert abs(sum(lucks)) < 1e-9
    assert max(lucks) - min(lucks) > 1


@pytest.mark.long("every layout of small boards")
@pytest.mark.parametrize("shots", [1, 2])
@pytest.mark.parametrize("layouts", [None, 3, 20])
def test_e_values_over_every_layout_have_a_mean_of_one(
    monkeypatch: pytest.MonkeyPatch, shots: int, layouts: int | None
) -> None:
    """Exactly where all layouts are listed; on average, however few are drawn, where not."""
    tries = 1
    if layouts is not None:
        few = partial(Chances, layouts=layouts)
        monkeypatch.setattr("salvo.reports.tables.luck_adjustment.Chances", few)
        monkeypatch.setattr("bots.tactics.value.chances.MOST_LISTED", 0)
        tries = 3
    rules = small(shots=shots)
    every = list(every_layout(rules))
    salvos = [search(rules, one, beside_hits) for one in every] * tries
    e_values = np.exp(
        [
            luck_of(rules, one, f"{number}".encode()).log_e_values
            for number, one in enumerate(salvos)
        ]
    )
    mean, error = e_values.mean(axis=0), e_values.std(axis=0) / len(salvos) ** 0.5
    assert e_values.std() > 0.1
    if layouts is None:
        assert mean == pytest.approx(1)
    else:
        assert (mean < 1 + 4 * error).all()
        # Tilts so strong that a rare answer alone has the whole of the mean are left out.
        assert (abs(mean - 1)[error < 0.1] < 4 * error[error < 0.1]).all()


def test_salvos_whose_hits_name_ships_are_not_adjusted() -> None:
    rules = small(shots=2, hits_named=True)
    why = "the hits of a salvo name the ships"
    assert why_not_adjusted(rules) == f"small: not adjusted for luck, since {why}."


def numbers(luck: Luck) -> list[float]:
    return [luck.turns, *luck.log_e_values]


def test_cells_shot_again_are_no_luck() -> None:
    rules = small(reshoot=True)
    layout = next(every_layout(rules))
    once = search(rules, layout, in_order)
    twice = search(rules, layout, lambda _, salvos: [len(salvos) // 2])
    assert numbers(luck_of(rules, twice, b"")) == pytest.approx(numbers(luck_of(rules, once, b"")))


class GivesUp(Bot):
    """Shoots in order, and fails after three shots."""

    def choose_shots(self, count: int) -> Sequence[int]:
        if len(self.shot) == 3:
            raise ValueError("no idea")
        return self.untried[:count]


class InOrder(Bot):
    def choose_shots(self, count: int) -> Sequence[int]:
        return self.untried[:count]


def test_forfeited_game_has_the_luck_of_the_shots_that_were_answered() -> None:
    rules = tiny()
    layouts = list(every_layout(rules))
    given_up = [play_bots([GivesUp()], rules, layout=layout) for layout in layouts]
    assert {game.forfeit for game in given_up} == {"first"}
    assert abs(sum(luck_of_game(rules, game).turns for game in given_up)) < 1e-9
    finished = play_bots([InOrder()], rules, layout=layouts[0])
    begun = search(rules, layouts[0], in_order)[:3]
    found = numbers(luck_of_game(rules, given_up[0]))
    assert found == pytest.approx(numbers(luck_of(rules, begun, b"")))
    assert luck_of_game(rules, finished).turns != pytest.approx(found[0])


def test_luck_is_the_same_every_time() -> None:
    rules = preset("classic")
    salvos = search(rules, draw_uniform(rules, Random(1)), in_order)
    assert luck_of(rules, salvos, b"one") == luck_of(rules, salvos, b"one")


def test_luck_is_what_this_version_of_the_network_says() -> None:
    """Who changes these numbers on purpose counts up ``VERSION`` of the network of values."""
    rules = small()
    every = list(every_layout(rules))
    luck = luck_of(rules, search(rules, every[7], beside_hits), b"")
    assert luck.turns == pytest.approx(0.70776, abs=1e-5)
    assert luck.log_e_values == pytest.approx(
        [
            *(-0.24036, -0.56780, -1.47415, -5.76992, -15.20317),
            *(0.15349, 0.22250, 0.12590),
            *(-0.03758, -0.07959, -0.17711),
            *(0.03321, 0.06212, 0.10730),
        ],
        abs=1e-5,
    )
    classic = preset("classic")
    layout = draw_uniform(classic, Random(1))
    drawn = luck_of(classic, search(classic, layout, in_order), b"one")
    assert drawn.turns == pytest.approx(6.65394, abs=1e-4)


def test_mean_luck_on_the_standard_board_is_zero() -> None:
    rules = preset("classic")
    random = Random(1)
    lucks = [
        luck_of(
            rules, search(rules, draw_uniform(rules, random), beside_hits), bytes([number])
        ).turns
        for number in range(12)
    ]
    mean = sum(lucks) / len(lucks)
    error = (sum((luck - mean) ** 2 for luck in lucks) / len(lucks) / (len(lucks) - 1)) ** 0.5
    assert abs(mean) < 4 * error


def test_a_bot_that_knows_layouts_has_luck_beyond_chance() -> None:
    rules = preset("classic")
    random = Random(1)
    for number in range(5):
        layout = draw_uniform(rules, random)
        ships = [cell for cell in range(100) if sum(layout) >> cell & 1]
        salvos = search(rules, layout, lambda _, done, ships=ships: [ships[len(done)]])
        luck = luck_of(rules, salvos, bytes([number]))
        assert luck.turns < -15
        assert max(luck.log_e_values) > 15


@pytest.mark.parametrize("name", ["classic", "salvo"])
def test_a_bot_that_first_hits_each_ship_once_is_followed_on(name: str) -> None:
    """Five hits of five ships have a million explanations, and hardly a layout drawn before."""
    rules = preset(name)
    layout = draw_uniform(rules, Random(1))
    ships = [[cell for cell in range(100) if mask >> cell & 1] for mask in layout]
    spread = [cell for cells in itertools.zip_longest(*ships) for cell in cells if cell is not None]
    first = spread[:5]
    rest = spread[5:] + [cell for cell in range(100) if cell not in spread]
    salvos = search(rules, layout, lambda _, done: (first + rest)[shots_of(done) :])
    luck = luck_of(rules, salvos, b"")
    assert max(luck.log_e_values) > 15


def shots_of(salvos: Sequence[Salvo]) -> int:
    return sum(len(salvo.cells) for salvo in salvos)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("afp", "layouts are not drawn uniformly"),
        ("unknown", "the fleet is unknown"),
        ("paper", "only the number of hits of a salvo is reported"),
        ("lies", "answers may be lies"),
    ],
)
def test_rules_that_leave_no_known_chance_are_refused_in_a_sentence(name: str, why: str) -> None:
    assert why_not_adjusted(preset(name)) == f"{name}: not adjusted for luck, since {why}."


@pytest.mark.parametrize("name", ["classic", "salvo", "boxed", "silent", "apart", "ramesh-2"])
def test_rules_with_known_chances_are_adjusted(name: str) -> None:
    assert why_not_adjusted(preset(name)) is None

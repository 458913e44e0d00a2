"""The least turns found are the least there are, and the policy takes them."""

import shutil
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from math import inf
from pathlib import Path

import pytest

from arena.rules import Rules, Ship, barred, cells_of, mask_of, placements, preset, view
from bots.tactics.solver import tabulate
from bots.tactics.solver.policy import Policy, solve
from bots.tactics.solver.small_game import Game, TooLargeError, Work, game_of, turns_of
from bots.tactics.solver.solved_game import TABLE, find_policy, name_of
from bots.tactics.tables import rows_of


def small(
    rows: int, columns: int, lengths: tuple[int, ...], shots: int = 1, **fields: object
) -> Rules:
    fleet = tuple(Ship(f"ship {number}", length) for number, length in enumerate(lengths))
    told: dict[str, object] = {"sinkings": "silent"} | fields
    return Rules(name="small", rows=rows, columns=columns, fleet=fleet, shots=shots, **told)  # type: ignore[arg-type]


def layouts_of(rules: Rules) -> Iterator[int]:
    """Yield the cells of every legal layout, ship by ship."""
    places = [placements(rules.rows, rules.columns, ship.length) for ship in rules.fleet]
    for layout in product(*places):
        closed = 0
        for place in layout:
            if place & closed:
                break
            closed |= barred(rules.rows, rules.columns, place, rules.touching)
        else:
            yield sum(layout)


def least_turns(rules: Rules) -> float:
    """Try every salvo at everything that can be known: no bounds, no symmetry, nothing left out."""
    shots = rules.shots
    assert isinstance(shots, int)

    @cache
    def turns(left: tuple[int, ...], shot: int) -> float:
        if all(not layout & ~shot for layout in left):
            return 0
        untried = [cell for cell in range(rules.cells) if not shot >> cell & 1]
        best = inf
        for salvo in combinations(untried, min(shots, len(untried))):
            cells = mask_of(salvo)
            answers: dict[int, list[int]] = {}
            for layout in left:
                if layout & ~shot:
                    answers.setdefault(layout & cells, []).append(layout)
            sunk = sum(not layout & ~shot for layout in left)
            assert not sunk, "the layouts left have hit cells alike, so all are sunk or none"
            cost = len(left) + sum(turns(tuple(part), shot | cells) for part in answers.values())
            best = min(best, cost)
        return best

    return turns(tuple(layouts_of(rules)), 0)


def turns_taken(policy: Policy, layout: int) -> int:
    hits = shot = turns = 0
    cells = policy.game.cells
    while layout & ~shot:
        salvo = policy.choose(hits, shot, min(policy.game.shots, cells - shot.bit_count()))
        assert len(set(salvo)) == len(salvo)
        assert not mask_of(salvo) & shot
        shot |= mask_of(salvo)
        hits = layout & shot
        turns += 1
    return turns


def game(rules: Rules) -> Game:
    found = game_of(view(rules))
    assert found is not None
    return found


# With the sets of layouts that bounds, symmetry and memory leave to be examined, at most
SMALL = [
    pytest.param(small(1, 5, (3,)), 8, id="row"),
    pytest.param(small(1, 5, (3,), 2), 26, id="row, sure cell, two shots"),
    pytest.param(small(1, 6, (2, 1)), 202, id="row, two ships"),
    pytest.param(small(1, 7, (2, 2)), 54, id="row, twins"),
    pytest.param(small(1, 7, (2, 2), 2), 173, id="row, twins, two shots"),
    pytest.param(small(6, 1, (2,), 3), 52, id="column, three shots"),
    pytest.param(small(2, 3, (2,)), 36, id="2x3"),
    pytest.param(small(2, 4, (3, 1), 2), 740, id="2x4, two shots"),
    pytest.param(small(3, 3, (2,)), 94, id="3x3"),
    pytest.param(small(3, 3, (3,), 2), 123, id="3x3, two shots"),
    pytest.param(small(3, 3, (2, 1)), 1604, id="3x3, two ships"),
    pytest.param(small(3, 3, (3, 2)), 625, id="3x3, long ships"),
    pytest.param(small(3, 3, (2, 2)), 729, id="3x3, twins"),
    pytest.param(small(3, 3, (2, 1), touching="never"), 149, id="3x3, apart"),
    pytest.param(small(2, 2, (2,), 4), 8, id="all in one salvo"),
    pytest.param(small(2, 2, (2, 2), 3), 0, id="full"),
]


@pytest.mark.parametrize(("rules", "allowed"), SMALL)
def test_optimum_is_what_trying_everything_finds(rules: Rules, allowed: int) -> None:
    policy = solve(game(rules), Work(allowed))
    assert sorted(policy.game.layouts) == sorted(layouts_of(rules))
    assert policy.turns == least_turns(rules)
    assert sum(turns_taken(policy, layout) for layout in policy.game.layouts) == policy.turns


OPTIMA = {
    "row-5-3": 11 / 3,
    "row-10-3": 4.5,
    "square-5-3": 6.9,
    "ramesh-1": 6.0,
    "ramesh-2": 7174 / 592,
    "ramesh-3": 85 / 24,
    "ramesh-4": 3.375,
    "ramesh-5": 5.05,
}


@pytest.mark.parametrize("name", OPTIMA)
def test_table_holds_a_policy_that_takes_what_it_says(name: str) -> None:
    policy = find_policy(view(preset(name)))
    assert policy is not None
    assert sum(turns_taken(policy, layout) for layout in policy.game.layouts) == policy.turns
    assert policy.mean_turns == pytest.approx(OPTIMA[name])


@pytest.mark.parametrize("name", ["row-5-3", "row-10-3", "square-5-3", "ramesh-1", "ramesh-4"])
def test_search_finds_what_the_table_holds(name: str) -> None:
    assert solve(game(preset(name)), Work()).mean_turns == pytest.approx(OPTIMA[name])


def test_search_ends_when_its_work_is_done() -> None:
    work = Work(50)
    with pytest.raises(TooLargeError):
        solve(game(preset("square-5-3")), work)
    assert work.done == 51


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(preset("classic"), id="classic"),
        pytest.param(preset("silent"), id="too many layouts"),
        pytest.param(small(3, 3, (2, 1), sinkings="named"), id="named"),
        pytest.param(small(3, 3, (2,), told="count"), id="counted"),
        pytest.param(small(3, 3, (2,), again=True), id="again"),
        pytest.param(small(3, 3, (2,), reshoot=True), id="reshoot"),
        pytest.param(small(3, 3, (2,), layouts="sequential"), id="sequential"),
        pytest.param(small(3, 3, (2,), fleet_known=False), id="unknown"),
    ],
)
def test_other_games_are_left_alone(rules: Rules) -> None:
    assert find_policy(view(rules)) is None


def test_sinking_of_a_ship_alone_may_be_reported() -> None:
    assert find_policy(view(small(3, 3, (2,), sinkings="named"))) is not None


@pytest.mark.parametrize("name", ["square-5-3", "ramesh-5"])
def test_turned_and_mirrored_sets_share_a_key(name: str) -> None:
    small_game = game(preset(name))
    one, two = (
        small_game.examine(small_game.holds[1]),
        small_game.examine(small_game.holds[small_game.columns]),
    )
    assert small_game.key(one) == small_game.key(two)
    assert small_game.key(one) != small_game.key(small_game.examine(small_game.holds[0]))
    assert cells_of(one.certain) == [1]


def test_a_board_is_turned_and_mirrored_in_every_way_that_fits() -> None:
    assert turns_of(1, 3) == [(0, 1, 2), (2, 1, 0)]
    assert turns_of(2, 3) == [
        (0, 1, 2, 3, 4, 5),
        (2, 1, 0, 5, 4, 3),
        (3, 4, 5, 0, 1, 2),
        (5, 4, 3, 2, 1, 0),
    ]
    assert len(turns_of(4, 4)) == 8


def test_game_of_as_many_combinations_as_are_examined_is_listed() -> None:
    largest = game_of(view(small(8, 8, (1, 1))))
    assert largest is not None
    assert len(largest.layouts) == 64 * 63
    assert game_of(view(small(5, 13, (1, 1)))) is None


def test_salvo_is_filled_up_by_certain_hits_then_by_likely_ones_then_by_any() -> None:
    policy = solve(game(small(1, 7, (4,), 2)), Work())
    # The ship begins in one of the first four cells, so that it lies on the fourth.
    assert policy.choose(0, 0, 7) == [0, 3, 4, 2, 5, 1, 6]
    assert policy.choose(0, 0b1, 7) == [2, 3, 4, 5, 6, 1]
    assert policy.choose(0b100, 0b110, 7) == [3, 4, 5, 0, 6]
    assert policy.choose(0b100, 0b110, 2) == [3, 4]


def test_preset_is_tabulated_as_it_stands_in_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = shutil.copy(TABLE, tmp_path)
    monkeypatch.setattr(tabulate, "TABLE", table)
    tabulate.tabulate(["row-10-3"])
    assert Path(table).read_bytes() == Path(TABLE).read_bytes()
    assert capsys.readouterr().out == "row-10-3: 4.5000 turns, 36 sets of layouts\n"
    names = [name_of(game(preset(name))) for name in tabulate.NAMES]
    assert [row[:-2] for row in rows_of(TABLE)] == names

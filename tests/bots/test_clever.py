"""clever plays as the AFP wiki's CleverAI, at three difficulties, where ships stay or move."""

import statistics
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from arena import Bot
from arena.rules import CellsReport, Rules, RulesView, Ship, mask_of, preset, view
from bots.clever import Chart, Clever, Difficulty

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""

PAIR = Rules(
    name="pair",
    rows=8,
    columns=8,
    fleet=(Ship("cruiser", 3), Ship("patrol boat", 2)),
    sinkings="unnamed",
    touching="never",
)


def mean_shots(referee: Play, rules_name: str, games: int) -> float:
    played = referee("clever", preset(rules_name), seeds=range(games), solo=True)
    return statistics.mean(game.tallies[0].shots for game in played)


def test_fifty_shots_where_ships_stay(referee: Play) -> None:
    # 48.7 +- 0.2 in 1,000 games; the standard error of 40 games is 0.6.
    assert 46.9 <= mean_shots(referee, "afp-immovable", 40) <= 50.5


def test_sixty_shots_where_they_move(referee: Play) -> None:
    # 60 +- 1 in 1,000 games, some of them very long; the standard error of 30 games is 3.1.
    assert 50 <= mean_shots(referee, "afp", 30) <= 72


@pytest.mark.parametrize("seed", range(5))
def test_follows_a_hit_until_the_ship_is_sunk(play: Play, seed: int) -> None:
    cruiser = [27, 28, 29]
    for game in play("clever", PAIR, seeds=[seed], layout=[mask_of(cruiser), mask_of([56, 57])]):
        aimed = [i for i, cell in enumerate(game.cells) if cell in cruiser]
        beside = {19, 20, 21, 26, 30, 35, 36, 37}
        assert set(game.cells[aimed[0] : aimed[-1]]) <= beside | set(cruiser)


def test_leaves_the_surroundings_of_a_sunk_ship_alone(play: Play) -> None:
    cruiser = [27, 28, 29]
    around = {18, 19, 20, 21, 22, 26, 30, 34, 35, 36, 37, 38}
    layout = [mask_of(cruiser), mask_of([56, 57])]
    for game in play("clever", PAIR, seeds=range(10), layout=layout):
        sunk = max(i for i, cell in enumerate(game.cells) if cell in cruiser)
        assert not around & set(game.cells[sunk + 1 :])


@pytest.mark.parametrize(("moves", "follows"), [(True, False), (False, True)])
def test_follows_its_first_hit_only_where_ships_stay(*, moves: bool, follows: bool) -> None:
    bot = Clever()
    bot.rules = view(preset("afp" if moves else "afp-immovable"))
    bot.solo, bot.random, bot.reports, bot.shot = True, Random(1), [], []
    bot.game_begins()
    for hit in (True, False):
        (cell,) = bot.choose_shots(1)
        bot.shot.append(cell)
        bot.reports.append(((cell,), CellsReport((cell,) if hit else (), 0)))
    assert (abs(bot.shot[1] - bot.shot[0]) in {1, 10}) == follows


def test_moves_ships_every_other_turn(referee: Play) -> None:
    (game,) = referee("clever", preset("afp"), seeds=[3], solo=False)
    moves = [step for step in game.steps if type(step).__name__ == "MoveStep"]
    assert 0.3 <= sum(step.ship is not None for step in moves) / len(moves) <= 0.7


@pytest.mark.parametrize(("weaker", "stronger"), [("easy", "medium"), ("medium", "hard")])
def test_difficulty_costs_shots(referee: Play, weaker: str, stronger: str) -> None:
    def mean(difficulty: str) -> float:
        make = lambda: Clever(difficulty)  # type: ignore[arg-type] # noqa: E731
        games = referee(make, preset("afp-immovable"), seeds=range(25), solo=True)
        return statistics.mean(game.tallies[0].shots for game in games)

    assert mean(weaker) > mean(stronger) + 3


@pytest.mark.parametrize("rules_name", ["classic", "salvo", "silent", "lies", "unknown", "paper"])
def test_declines_ships_that_touch(load_bot: Callable[[str], type[Bot]], rules_name: str) -> None:
    assert not load_bot("clever")().plays(view(preset(rules_name)))


def apart(rows: int, columns: int, *lengths: int, **fields: object) -> RulesView:
    """Return rules as a bot is told of them; not every fleet needs to fit on the board."""
    fleet = tuple(Ship(f"ship {number}", length) for number, length in enumerate(lengths))
    rules = Rules(
        name="apart", rows=rows, columns=columns, fleet=(Ship("one", 1),),
        sinkings="unnamed", touching="never", **fields,
    )  # type: ignore[arg-type] # fmt: skip
    return replace(view(rules), fleet=fleet, opponent_fleet=fleet)


MOVING = {"moves": True, "reshoot": True}


@pytest.mark.parametrize(
    ("rows", "columns", "before", "last", "length"),
    [
        (4, 4, [], 5, 1),
        (4, 4, [7, 9], 8, 2),  # 7 is in the row above
        (4, 4, [6, 8], 7, 2),  # 8 is in the row below
        (4, 4, [1, 5], 9, 3),
        (4, 4, [1, 9], 5, 3),
        (4, 4, [4, 5, 7], 6, 4),
        (4, 4, [1, 15], 0, 2),
        (4, 4, [0, 14], 15, 2),
        (4, 1, [0, 1], 2, 3),
        (1, 4, [3, 0], 2, 2),
    ],
)
def test_a_sunk_ship_is_the_run_of_hits_through_the_last(
    rows: int, columns: int, before: list[int], last: int, length: int
) -> None:
    chart = Chart(apart(rows, columns, 4, 3, 2, 1))
    for cell in before:
        chart.note(cell, hit=True, sunk=False)
    chart.note(last, hit=True, sunk=True)
    assert chart.afloat.total() == 3
    assert length not in chart.afloat


@pytest.mark.parametrize("moves", [False, True])
def test_what_is_known_of_cells_fades_where_ships_move_alone(*, moves: bool) -> None:
    chart = Chart(apart(4, 4, 2, 2, **(MOVING if moves else {})))
    faded = [1 - 0.98**shots if moves else 0.0 for shots in range(6)]
    chart.note(0, hit=False, sunk=False)
    chart.note(10, hit=True, sunk=False)
    chart.note(3, hit=False, sunk=False)
    assert chart.time == 3
    corners = {5: 0, 7: 0, 13: 0, 15: 0}
    free = dict.fromkeys(range(16), 1.0) | corners | {0: faded[2], 3: faded[0]}
    assert dict(enumerate(chart.free())) == pytest.approx(free)
    chart.note(9, hit=True, sunk=True)
    chart.note(1, hit=False, sunk=False)
    around = dict.fromkeys(range(4, 16), faded[1])
    free = around | {0: faded[4], 1: faded[0], 2: 1.0, 3: faded[2]}
    assert dict(enumerate(chart.free())) == pytest.approx(free)
    assert not chart.hits.any()
    chart.note(5, hit=False, sunk=False)
    assert chart.free()[5] == 0
    chart.note(5, hit=True, sunk=False)
    assert chart.free()[5] == pytest.approx(faded[3])


def told(rules: RulesView, *shots: tuple[int, bool], solo: bool = True) -> Clever:
    """Return a bot that was told of some shots whether they hit, and that takes even cells."""
    bot = Clever()
    bot.rules = rules
    bot.solo, bot.random, bot.reports, bot.shot = solo, Random(1), [], []
    bot.game_begins()
    bot.on_colour = np.arange(rules.cells) % 2 == 0
    for cell, hit in shots:
        bot.shot.append(cell)
        bot.reports.append(((cell,), CellsReport((cell,) if hit else (), 0)))
    bot._read()
    return bot


@pytest.mark.parametrize(
    ("rules", "shots", "scores"),
    [
        # Each cell's placements beside those on the empty board: off the colour they count 0.9.
        (apart(1, 5, 3), {}, [1, 0.9, 1, 0.9, 1]),
        (apart(1, 5, 3, 3), {}, [1, 0.9, 1, 0.9, 1]),
        (apart(1, 5, 3), {2: True}, [21, 0.9 * 21, 0, 0.9 * 21, 21]),
        # 1 + 2 * 20 + 50 where one more hit would sink the ship.
        (apart(1, 5, 3), {2: True, 1: True}, [91, 0, 0, 0.9 * (91 + 21) / 2, 21]),
        (apart(1, 5, 3), {1: False}, [0, 0, 1 / 3, 0.9 / 2, 1]),
        (apart(1, 2, 3, 2), {}, [1, 0.9]),
        # Where ships move, it looks on one colour for ships that were not hit.
        (apart(1, 5, 3, **MOVING), {}, [1, 0, 1, 0, 1]),
        (apart(1, 7, 3, 3, **MOVING), {0: True}, [0, 0, 4 / 6, 0, 1, 0, 1]),
        (apart(1, 5, 3, 3, **MOVING), {4: False, 1: False}, [0, 0, 0.02 / 3, 0, 0.02**2]),
        # Half as many hits as the ships have cells hold them in place: then it sinks them all.
        (apart(1, 5, 3, **MOVING), {2: True}, [21, 42, 0, 42, 21]),
    ],
)
def test_scores_of_cells(rules: RulesView, shots: dict[int, bool], scores: list[float]) -> None:
    assert told(rules, *shots.items())._scores().tolist() == pytest.approx(scores)


@pytest.mark.parametrize(("shots", "searches"), [(5, True), (6, False)])
def test_searches_until_the_countdown(*, shots: int, searches: bool) -> None:
    rules = apart(1, 12, 3, 2, turn_limit=10, countdown=4, **MOVING)
    assert told(rules, *[(0, False)] * shots)._is_searching() == searches


@pytest.mark.parametrize(
    ("again", "solo", "turns"), [(False, False, 3), (True, False, 1), (True, True, 3)]
)
def test_a_hit_that_is_followed_by_another_shot_is_no_turn(
    *, again: bool, solo: bool, turns: int
) -> None:
    rules = apart(1, 12, 3, 2, again=again)
    assert told(rules, (0, True), (1, True), (3, False), solo=solo).turns == turns


class Noise:
    """Draws the same numbers always."""

    def random(self, size: int) -> np.ndarray:
        return np.linspace(0, 1, size)


@pytest.mark.parametrize(
    ("difficulty", "moves", "scores"),
    [
        ("hard", False, [95, 0, 210]),
        ("medium", False, [100, 200, 600]),
        ("medium", True, [100, 290, 780]),
        ("easy", False, [100, 350, 900]),
        ("easy", True, [100, 350, 900]),
    ],
)
def test_noise_is_the_louder_the_easier_it_is(
    *, difficulty: Difficulty, moves: bool, scores: list[float]
) -> None:
    bot = told(apart(1, 3, 2, **(MOVING if moves else {})))
    bot.difficulty, bot.noise = difficulty, Noise()  # type: ignore[assignment]
    assert bot._with_noise(np.array([100.0, 0.0, 200.0])).tolist() == pytest.approx(scores)


def test_shoots_an_untried_cell_though_no_ship_can_lie_there() -> None:
    bot = told(apart(1, 3, 3), (0, False))
    assert bot.choose_shots(1) == [1]


def test_each_colour_of_the_checkerboard_is_chosen_at_times() -> None:
    chosen = set()
    for seed in range(8):
        bot = told(apart(2, 3, 2))
        bot.random = Random(seed)
        bot.game_begins()
        chosen.add(tuple(bot.on_colour.tolist()))
    even = (True, False, True, False, True, False)
    assert chosen == {even, tuple(not one for one in even)}


class Chance(Random):
    """Draws the same number always."""

    drawn = 0.0

    def random(self) -> float:
        return self.drawn


@pytest.mark.parametrize(("drawn", "moves"), [(0.49, True), (0.51, False)])
def test_moves_a_ship_half_the_time(*, drawn: float, moves: bool) -> None:
    bot = told(apart(1, 6, 2, **MOVING))
    bot.random, bot.random.drawn = Chance(1), drawn  # type: ignore[attr-defined]
    bot.incoming, bot.layout = [], {"ship 0": (0, 1)}
    assert bot.move_ship() == (("ship 0", [1, 2]) if moves else None)
    bot.incoming = [(0,)]
    assert bot.move_ship() is None  # who was hit stays

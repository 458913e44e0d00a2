"""clever plays as the AFP wiki's CleverAI, at three difficulties, where ships stay or move."""

import statistics
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from arena import Bot
from arena.rules import CellsReport, Rules, Ship, mask_of, preset, view
from bots.clever import Clever

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
    # 48.7 +- 0.2 in 1,000 games; the standard error of 100 games is 0.35.
    assert 47.4 <= mean_shots(referee, "afp-immovable", 100) <= 50


def test_sixty_shots_where_they_move(referee: Play) -> None:
    # 60 +- 1 in 1,000 games, some of them very long; the standard error of 60 games is 2.2.
    assert 52 <= mean_shots(referee, "afp", 60) <= 72


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

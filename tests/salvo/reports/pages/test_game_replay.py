"""A game to be watched: where it begins, and what stands beside it."""

import pytest

from arena.records import Game
from arena.referee import play_bots
from arena.rules import preset
from bots.hunt_target import HuntTarget
from bots.tactics.value.judge import Judgement
from bots.uniform_random import UniformRandom
from leaderboards.display.replay_frames import Frame, Panel
from salvo.reports.pages.featured_games import FeaturedGame
from salvo.reports.pages.game_replay import moment_of_choice, replay_of
from salvo.reports.tables.analysis import Analysis

RULES = preset("ramesh-5")


def frame(*chances: float) -> Frame:
    """Return a frame with a board, and with a posterior of four cells, the last of them shot."""
    board = Panel("Ann", "ships", ("water",) * 4, None, ())
    marks = ("water", "water", "water", "hit")
    posterior = [Panel("Ann", "posterior", marks, chances, ())] if chances else []
    return Frame([], [board, *posterior])


@pytest.mark.parametrize(
    ("salvos", "start"), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (8, 4), (9, 4)]
)
def test_game_without_a_posterior_begins_in_the_middle(salvos: int, start: int) -> None:
    assert moment_of_choice([frame()] * salvos) == start


@pytest.mark.parametrize(
    ("contested", "start"),
    [
        ({3: 1}, 3),
        ({3: 1, 6: 2}, 6),
        ({2: 2, 3: 1, 7: 3}, 3),  # those outside the middle half do not count
        ({3: 1, 4: 1, 5: 1}, 4),  # the nearest to the middle
        ({3: 1, 5: 1}, 3),
    ],
)
def test_game_begins_where_most_cells_are_open(contested: dict[int, int], start: int) -> None:
    frames = []
    for number in range(1, 9):
        cells = contested.get(number, 0)
        frames.append(frame(*[0.5] * cells, *[0.9] * (3 - cells), 0.5))
    assert moment_of_choice(frames) == start


@pytest.mark.parametrize(
    ("chance", "is_open"), [(0.24, False), (0.25, True), (0.75, True), (0.76, False)]
)
def test_cell_is_open_from_a_quarter_to_three(chance: float, *, is_open: bool) -> None:
    frames = [frame(0.0, 0.0, 1.0, 0.5)] * 8
    frames[5] = frame(chance, 0.0, 1.0, 0.5)
    assert moment_of_choice(frames) == (6 if is_open else 4)


@pytest.fixture(scope="module")
def game() -> Game:
    return play_bots([HuntTarget(), UniformRandom()], RULES, seeds=(1, 2))


def test_game_of_a_report_has_its_place_there(game: Game) -> None:
    featured = FeaturedGame("x", "closest", "The closest game", "They were close.")
    shown = replay_of(game, RULES, None, featured=featured)
    assert (shown.key, shown.label, shown.why) == (*featured[1:3], featured.why)
    assert shown.start == moment_of_choice(shown.frames)
    assert shown.rows == list("ABCD")
    assert shown.columns == list("1234")
    alone = replay_of(game, RULES, None)
    assert (alone.key, alone.label, alone.why, alone.start) == ("game", "The game", "", 1)


def test_costs_stand_below_the_salvos_and_in_the_legend(game: Game) -> None:
    plain = replay_of(game, RULES, None)
    number = len(plain.frames)
    costs = (Judgement(1.25, (0,)), None, *[Judgement(0.0, (0,))] * (number - 2))
    shown = replay_of(game, RULES, None, analysis=Analysis(costs, ()))
    assert [one.cost for one in shown.frames] == [1.25, None, *[0.0] * (number - 2)]
    assert shown.frames[0].lines == [
        *plain.frames[0].lines,
        "Cost: 1.25 turns more than A1, if the fleet lay anywhere.",
    ]
    assert shown.frames[1].lines == plain.frames[1].lines
    assert [len(one.panels) for one in shown.frames] == [2] * number
    assert len(shown.legend) == len(plain.legend) + 1 == 3
    assert shown.legend[2].startswith("Cost: ")
    assert len(shown.notes) == len(plain.notes) + 1 == 2

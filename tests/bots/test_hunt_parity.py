"""hunt_parity hunts on one class of diagonals, then follows the line of hits."""

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from arena.rules import CellsReport, Rules, Ship, mask_of, preset, view
from bots.hunt_parity import HuntParity

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""


def ships(*lengths: int) -> tuple[Ship, ...]:
    return tuple(Ship(f"ship {number}", length) for number, length in enumerate(lengths))


@pytest.mark.parametrize("smallest", [2, 3, 4])
def test_hunts_on_one_class_until_a_hit(play: Play, smallest: int) -> None:
    rules = Rules(name="one ship", rows=9, columns=9, fleet=ships(smallest))
    layout = [mask_of(range(smallest))]
    for game in play("hunt_parity", rules, seeds=range(20), layout=layout):
        hunted = game.cells[: next(i for i, cell in enumerate(game.cells) if cell < smallest) + 1]
        assert len({sum(divmod(cell, 9)) % smallest for cell in hunted}) == 1


def test_a_class_is_enough_to_find_the_ship(play: Play) -> None:
    rules = Rules(name="one ship", rows=9, columns=9, fleet=ships(3))
    for game in play("hunt_parity", rules, seeds=range(50), layout=[mask_of([78, 79, 80])]):
        assert len(game.salvos) <= 27 + 4 + 2


def test_goes_on_in_line_after_two_hits(play: Play) -> None:
    rules = Rules(name="one ship", rows=9, columns=9, fleet=ships(5))
    layout = range(38, 43)
    for game in play("hunt_parity", rules, seeds=range(50), layout=[mask_of(layout)]):
        second = [i for i, cell in enumerate(game.cells) if cell in layout][1]
        assert all(cell // 9 == 38 // 9 for cell in game.cells[second:])


def test_looks_beside_lines_that_are_closed_at_both_ends(play: Play) -> None:
    # Ships side by side down the columns: their hits make a line from edge to edge.
    rules = Rules(name="side by side", rows=9, columns=5, fleet=ships(3, 3, 3, 3, 3))
    layout = [mask_of([15 + column, 20 + column, 25 + column]) for column in range(5)]
    lines = 0
    for game in play("hunt_parity", rules, seeds=range(60), layout=layout):
        hits: list[int] = []
        for salvo, following in pairwise(game.salvos):
            hits += salvo.report.hits
            if salvo.report.hits and len(hits) == 5 and len({hit // 5 for hit in hits}) == 1:
                lines += 1
                assert abs(following.cells[0] // 5 - hits[0] // 5) == 1
    assert lines


def test_salvo_takes_both_ends_of_a_line(play: Play) -> None:
    rules = Rules(name="one ship", rows=1, columns=9, fleet=ships(4), shots=2)
    for game in play("hunt_parity", rules, seeds=range(50), layout=[mask_of(range(3, 7))]):
        first = next(salvo for salvo in game.salvos if salvo.report.hits)
        following = game.salvos[game.salvos.index(first) + 1]
        assert any(abs(hit - cell) == 1 for hit in first.report.hits for cell in following.cells)


def test_salvo_hunts_on_one_class(play: Play) -> None:
    for game in play("hunt_parity", preset("salvo"), seeds=range(20)):
        assert len({sum(divmod(cell, 10)) % 2 for cell in game.salvos[0].cells}) == 1


def test_mean_in_the_classic_game(mean_turns: Callable[..., float]) -> None:
    # 51.50 +- 0.18 in 10,000 games; the standard error of 300 games is 0.51.
    assert 50.2 <= mean_turns("hunt_parity", "classic", 300) <= 53.2


def test_salvo_takes_about_twelve_turns(mean_turns: Callable[..., float]) -> None:
    assert 11.8 <= mean_turns("hunt_parity", "salvo", 300) <= 12.7


def test_hunts_everywhere_once_all_ships_were_said_to_be_sunk() -> None:
    bot = HuntParity()
    bot.rules = view(Rules(name="liar", rows=3, columns=3, fleet=ships(2), lies=1))
    bot.random, bot.reports = Random(1), []
    bot.game_begins()
    bot.reports.append(((4,), CellsReport((), ("ship 0",))))
    bot.tracker.update(bot, 1)
    assert sorted(bot._hunt([0])) == [1, 2, 3, 5, 6, 7, 8]

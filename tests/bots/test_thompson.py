"""thompson draws layouts that agree with the answers."""

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from arena import Bot
from arena.rules import CellsReport, Report, Rules, Ship, cells_of, mask_of, preset, view
from bots.thompson import Thompson, _words

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""


@pytest.mark.long("a mean of many games")
def test_mean_in_the_classic_game(mean_turns: Callable[..., float]) -> None:
    # The source's mean is 45.89; the standard error of 60 games is 1.2.
    assert 42.6 <= mean_turns("thompson", "classic", 60) <= 49.2


def test_never_leaves_the_line_of_the_only_ship(play: Play) -> None:
    rules = Rules(name="one ship", rows=8, columns=8, fleet=(Ship("three", 3),))
    layout = [mask_of([26, 27, 28])]
    for game in play("thompson", rules, seeds=range(10), layout=layout):
        hits = [i for i, cell in enumerate(game.cells) if cell in {26, 27, 28}]
        assert all(cell // 8 == 3 for cell in game.cells[hits[1] :])


def test_smaller_blocks_play_other_games(
    load_bot: Callable[[str], Callable[..., Bot]], play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = play("thompson", preset("classic"), seeds=[1])
    bot = load_bot("thompson")
    monkeypatch.setattr(bot.__init__, "__defaults__", (100,))  # type: ignore[misc]
    assert play("thompson", preset("classic"), seeds=[1]) != usual


def test_takes_the_lowest_of_equal_cells(play: Play) -> None:
    rules = Rules(
        name="all alike", rows=1, columns=6, fleet=tuple(Ship(f"{n}", 1) for n in "abcdef")
    )
    (game,) = play("thompson", rules, seeds=[1], layout=[1 << cell for cell in range(6)])
    assert all(one < two for one, two in pairwise(game.cells))


ROW = Rules(name="row", rows=1, columns=6, fleet=(Ship("A", 3), Ship("B", 2)))


def told(*salvos: tuple[tuple[int, ...], Report], rules: Rules = ROW) -> Thompson:
    """Return a bot that has read some reports, one after another."""
    bot = Thompson(1_000)
    bot.rules, bot.random = view(rules), Random(1)
    bot.shot, bot.hits, bot.sunk, bot.hit_ships, bot.sunk_cells = [], [], [], {}, {}
    bot.game_begins()
    for cells, report in salvos:
        assert isinstance(report, CellsReport)
        bot.shot += cells
        bot.hits += report.hits
        bot.hit_ships.update(zip(report.hits, report.ships or (), strict=False))
        bot.sunk_cells.update(report.sunk_cells or {})
        bot.sunk += [(ship, cells) for ship in rules.fleet if ship.name in report.sunk]  # type: ignore[operator]
        bot._read()
    return bot


@pytest.mark.parametrize(
    ("salvos", "long", "short"),
    [
        ([], "012 123 234 345", "01 12 23 34 45"),
        ([((2,), CellsReport((), ()))], "345", "01 34 45"),
        ([((2,), CellsReport((2,), ()))], "012 123 234 345", "01 12 23 34 45"),
        # The shot that sank B was at it, and at no other ship.
        (
            [((2,), CellsReport((2,), ())), ((3,), CellsReport((3,), ("B",)))],
            "012",
            "23 34",
        ),
        (
            [((3,), CellsReport((3,), ("B",))), ((0,), CellsReport((0,), ()))],
            "012",
            "23 34",
        ),
        # Of a salvo it may have been any shot.
        ([((2, 3), CellsReport((2, 3), ("B",)))], "012 123 234 345", "01 12 23 34 45"),
        ([((2, 3, 5), CellsReport((2, 3), ("B",)))], "012 123 234", "01 12 23 34"),
        ([((2,), CellsReport((2,), (), ("B",)))], "345", "12 23"),
        (
            [((2, 3), CellsReport((2, 3), ("B",), None, {"B": (2, 3)}))],
            "012 123 234 345",
            "23",
        ),
    ],
)
def test_ships_may_lie_where_what_was_reported_of_them_leaves_room(
    salvos: list[tuple[tuple[int, ...], Report]], long: str, short: str
) -> None:
    possible = {
        name: " ".join("".join(map(str, cells_of(mask))) for mask in masks)
        for name, masks in told(*salvos).possible.items()
    }
    assert possible == {"A": long, "B": short}


def test_sample_has_layouts_without_overlap_that_cover_the_hits() -> None:
    rules = Rules(name="row", rows=1, columns=5, fleet=(Ship("A", 2), Ship("B", 2)))
    covered = told(((4,), CellsReport((4,), ())), rules=rules)._covered()
    # One ship lies on 3 and 4, the other on 0 and 1 or on 1 and 2.
    number = covered[4]
    assert 0 < number < 1_000
    assert covered[[1, 3]].tolist() == [number] * 2
    assert covered[0] + covered[2] == number
    assert 0 < covered[0] < number


def test_where_no_draw_agrees_a_placement_counts_five_times_for_each_hit_on_it() -> None:
    bot = told(((1,), CellsReport((1,), ())))
    assert bot._one_by_one(0b10).tolist() == [10, 20, 17, 9, 4, 2]
    assert bot._one_by_one(0b110).tolist() == [30, 80, 85, 37, 8, 2]


def test_a_board_of_more_cells_than_a_word_has_bits_takes_two_words() -> None:
    assert _words([1 << 64 | 5, 2], 65).tolist() == [[5, 2], [1, 0]]
    assert _words([5], 64).tolist() == [[5]]

"""The value of hiding and searching on small boards."""

from collections.abc import Iterator, Mapping
from itertools import pairwise, product
from pathlib import Path

import click
import numpy as np
import pytest
from msgspec.structs import replace
from scipy.optimize import linprog

from arena.errors import RulesError
from arena.rules import cells_of, view
from benchmarks.equilibrium import Settings, rules_of, run
from benchmarks.exploits.hide_and_seek import classes_of, solved
from benchmarks.lines import Note
from bots.tactics.solver.small_game import game_of

Turns = Mapping[int, int]
"""The turns that a way to shoot takes, by layout."""


def every_way(layouts: frozenset[int], shot: int, cells: int) -> Iterator[Turns]:
    """Yield every way to shoot at cells that tell layouts apart, or are sure to hit."""
    if len({layout & ~shot for layout in layouts}) == 1:
        yield {layout: (layout & ~shot).bit_count() for layout in layouts}
        return
    for cell in cells_of(~shot & (1 << cells) - 1):
        hit = frozenset(layout for layout in layouts if layout >> cell & 1)
        if hit and hit != layouts:
            after = [every_way(part, shot | 1 << cell, cells) for part in (hit, layouts - hit)]
            for one, other in product(*map(list, after)):
                yield {layout: turns + 1 for layout, turns in (*one.items(), *other.items())}


def value_of(ways: list[Turns]) -> float:
    """Return the value by one linear program over all layouts and all ways."""
    layouts = sorted(ways[0])
    turns = np.array([[way[layout] for layout in layouts] for way in ways])
    found = linprog(
        [*[0.0] * len(ways), 1.0],
        A_ub=np.c_[turns.T, -np.ones(len(layouts))],
        b_ub=np.zeros(len(layouts)),
        A_eq=[[*[1.0] * len(ways), 0.0]],
        b_eq=[1.0],
    )
    return float(found.fun)


@pytest.mark.parametrize("board", ["1x3:2", "1x4:2", "1x5:2", "1x6:3", "2x2:1", "2x3:3", "1x4:1"])
def test_value_is_that_of_one_program_over_all_ways_to_shoot(board: str) -> None:
    game = game_of(view(rules_of(board)))
    assert game is not None
    value = value_of(list(every_way(frozenset(game.layouts), 0, game.cells)))
    *_, found = solved(game, 0.001)
    assert found.lower - 1e-9 <= value <= found.upper + 1e-9
    assert found.upper - found.lower <= 0.001


@pytest.mark.parametrize("shots", [1, 2])
def test_limits_come_nearer_and_hold_each_other(shots: int) -> None:
    game = game_of(view(replace(rules_of("3x3:2"), shots=shots)))
    assert game is not None
    steps = list(solved(game, 0.01))
    assert all(one.lower <= two.lower <= two.upper <= one.upper for one, two in pairwise(steps))
    assert sum(steps[-1].shares) == pytest.approx(1)
    assert len(steps[-1].shares) == len(classes_of(game))


def test_way_that_is_best_against_uniform_layouts_can_be_exploited(tmp_path: Path) -> None:
    games, out = [rules_of("4x4:2")], tmp_path / "kept.json"
    settings = Settings(games=games, bots=["optimal"], tolerance=0.05, seeds=4, out=out)
    lines = list(run(settings))
    [row] = [line for line in lines if "`optimal`" in line]
    assert "| 6.08 " in row
    assert "7.75 ± 0.00" in row
    # Called again it solves nothing, and so says nothing of how far it is.
    assert list(run(settings)) == [line for line in lines if not isinstance(line, Note)]


@pytest.mark.parametrize("text", ["classic", "0x4:2", "4x4", "2x2:3", "nowhere", "4x4:2+"])
def test_board_that_is_none_or_too_large_is_refused(text: str) -> None:
    with pytest.raises((click.BadParameter, RulesError), match=text.split("+", maxsplit=1)[0]):
        rules_of(text)

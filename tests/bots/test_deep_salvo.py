"""deep_salvo shoots by a network that knows the rules of ships, and learned the rest."""

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena import Bot
from arena.rules import PRESETS, preset, view
from bots.deep_salvo.bot import DeepSalvo, symmetries
from bots.tactics.learned.placement_network import Evidence, Places

LAYING = 0
UPRIGHT = 9


def evidence(board: str, *, sank: str = "", afloat: tuple[bool, ...] = (True, True)) -> Evidence:
    """Return what is known of a 3x3 board: . untried, o miss, # hit; where a salvo sank ship 1."""
    cells = np.array([list(board)])
    last = np.array([list(sank or "." * 9)]) == "1"
    return Evidence(cells == "o", cells == "#", last.astype(np.int64) * 2, np.array([afloat]))


def places_of(ship: int, known: Evidence, *, named: bool = True) -> list[int]:
    places = Places(3, 3, (3, 2), named=named)
    return [int(place) for place in np.flatnonzero(places.possible(known)[0, ship])]


def test_a_ship_lies_along_rows_and_columns_of_an_empty_board() -> None:
    assert places_of(0, evidence(".........")) == [0, 3, 6, 9, 10, 11]


def test_no_ship_lies_on_a_miss() -> None:
    assert places_of(0, evidence("....o....")) == [0, 6, UPRIGHT, UPRIGHT + 2]


def test_a_ship_afloat_does_not_lie_on_hits_alone() -> None:
    assert LAYING not in places_of(1, evidence("##......."))
    assert LAYING in places_of(1, evidence("##......."), named=False)


def test_a_ship_that_sank_lies_on_the_hit_that_sank_it() -> None:
    known = evidence("###......", sank="..1......", afloat=(True, False))
    assert places_of(1, known) == [1]


@pytest.mark.parametrize(("rows", "columns", "ways"), [(3, 3, 8), (2, 3, 4)])
def test_a_board_is_turned_and_mirrored_in_every_way(rows: int, columns: int, ways: int) -> None:
    turned = {tuple(cells.tolist()) for cells in symmetries(rows, columns)}
    assert len(turned) == ways
    assert {tuple(sorted(cells)) for cells in turned} == {tuple(range(rows * columns))}


def test_shoots_on_average_no_worse_than_counting_placements(
    mean_turns: Callable[..., float],
) -> None:
    # Hunting and targeting with parity takes 52; 80 games have a standard error of 1.
    assert mean_turns("deep_salvo", "classic", 80) < 49


def test_fires_salvos_on_average_no_worse_than_counting_placements(
    mean_turns: Callable[..., float],
) -> None:
    assert mean_turns("deep_salvo", "salvo", 40) < 12


def test_a_salvo_of_all_cells_is_fired_though_no_ship_is_left_for_the_last(
    play: Callable[..., list[Any]],
) -> None:
    many = preset("classic").__class__(
        name="hundred shots", rows=10, columns=10, fleet=preset("classic").fleet, shots=100
    )
    (game,) = play("deep_salvo", many)
    assert sorted(game.cells) == list(range(100))


def test_plays_the_standard_fleet_where_ships_that_sink_are_named(
    load_bot: Callable[[str], type[Bot]],
) -> None:
    bot = load_bot("deep_salvo")()
    played = {name for name, (rules, _) in PRESETS.items() if bot.plays(view(rules))}
    assert played == {"again", "boxed", "classic", "equal-turns", "salvo"}


def test_the_weights_say_how_they_were_trained_and_are_small() -> None:
    origin = DeepSalvo().origin
    assert origin.command.startswith("salvo train deep_salvo")
    (path,) = (Path(str(resources.files("bots"))) / "deep_salvo").glob("*.npz")
    assert path.stat().st_size < 4_000_000

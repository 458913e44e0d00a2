"""Networks that name a salvo, with weights that can be followed by eye."""

from typing import Any

import numpy as np
import pytest

from arena.rules import Rules, Ship, preset, view
from bots.tactics.learned.salvo_network import (
    SalvoNetwork,
    SalvoNetworkBot,
    board_inputs,
    patches_of,
    salvos_of,
)
from bots.tactics.learned.weight_files import Origin


def origin(**fields: Any) -> Origin:  # noqa: ANN401 - fields of any type
    usual = {
        "command": "", "seed": 1, "date": "", "code": "", "games": 1,
        "rows": 1, "columns": 3, "lengths": (2,),
    }  # fmt: skip
    return Origin(**usual | fields)


def network(inputs: int = 3, salvos: int = 3, **fields: Any) -> SalvoNetwork:  # noqa: ANN401
    """Return one whose salvos score 1, 2, 3, ... times what its two units say."""
    hidden = np.zeros((inputs, 2))
    hidden[:, 0] = np.arange(inputs) + 1.0
    output = np.array([np.arange(salvos) + 1.0, np.zeros(salvos)])
    arrays = {
        "hidden": hidden,
        "hidden_bias": np.array([0.5, 0.0]),
        "output": output,
        "output_bias": np.full(salvos, 0.25),
    }
    return SalvoNetwork(arrays, origin(**fields))


NONE = np.zeros(1)


def test_salvos_are_all_sets_of_cells() -> None:
    assert salvos_of(3, 1).tolist() == [[0], [1], [2]]
    assert salvos_of(4, 2).tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]


def test_patches_are_the_nine_cells_around_each() -> None:
    assert patches_of(2, 3).tolist() == [
        [6, 6, 6, 6, 0, 1, 6, 3, 4],
        [6, 6, 6, 0, 1, 2, 3, 4, 5],
        [6, 6, 6, 1, 2, 6, 4, 5, 6],
        [6, 0, 1, 6, 3, 4, 6, 6, 6],
        [0, 1, 2, 3, 4, 5, 6, 6, 6],
        [1, 2, 6, 4, 5, 6, 6, 6, 6],
    ]


def test_a_board_is_seen_itself_or_as_a_plane_of_misses_and_one_of_hits() -> None:
    board = np.array([-1, 0, 1, -1])
    assert board_inputs(board, 1).tolist() == [-1, 0, 1, -1]
    assert board_inputs(board, 2).tolist() == [0, 1, 0, 0, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("inputs", "fields", "sunk", "seen"),
    [
        (3, {}, [1.0], [-1, 0, 1]),
        (4, {"sinkings": True}, [1.0], [-1, 0, 1, 1]),
        (4, {"fleet": True}, [1.0], [-1, 0, 1, 2 / 3]),
        (6, {"fleet": True, "sinkings": True, "lengths": (3,), "planes": 1}, [1.0, 0.0],
         [-1, 0, 1, 1, 0, 1]),
        (6, {"planes": 2}, [1.0], [0, 1, 0, 0, 0, 1]),
        (4, {"rows": 3, "columns": 1, "fleet": True}, [1.0], [-1, 0, 1, 2 / 3]),
    ],
)  # fmt: skip
def test_scores_go_by_the_board_and_what_else_is_seen(
    inputs: int, fields: dict[str, Any], sunk: list[float], seen: list[float]
) -> None:
    found = network(inputs, **fields).scores(np.array([-1, 0, 1]), np.array(sunk))
    unit = np.tanh(np.dot(seen, np.arange(inputs) + 1) + 0.5)
    assert found == pytest.approx([unit + 0.25, 2 * unit + 0.25, 3 * unit + 0.25])


@pytest.mark.parametrize("planes", [1, 2])
def test_a_kernel_looks_at_the_cells_around_each(planes: int) -> None:
    kernel = np.zeros((9 * planes, 2))
    kernel[3 * planes, 0] = 1.0  # the first plane of the cell to the left
    kernel[5 * planes + planes - 1, 1] = 2.0  # the last plane of the cell to the right
    usual = network(6, planes=planes)
    arrays = dict(usual._arrays, kernel=kernel, kernel_bias=np.array([0.1, 0.2]))
    found = SalvoNetwork(arrays, usual.origin).scores(np.array([1, 0, 1]), NONE)
    left, right = ([0, 1, 0], [0, 1, 0]) if planes == 1 else ([0, 0, 1], [0, 1, 0])
    seen = np.tanh([(0.1 + one, 0.2 + 2 * two) for one, two in zip(left, right, strict=True)])
    unit = np.tanh(seen.ravel() @ (np.arange(6) + 1) + 0.5)
    assert found == pytest.approx([unit + 0.25, 2 * unit + 0.25, 3 * unit + 0.25])


@pytest.mark.parametrize(
    ("board", "shots", "count", "salvo"),
    [
        ([-1, -1, -1], 1, 1, [0]),  # the unit says less than nothing: the least is likeliest
        ([0, -1, -1], 1, 1, [1]),
        ([1, 0, -1], 1, 1, [2]),
        ([1, 1, -1], 1, 1, [2]),
        ([-1, -1, -1], 2, 2, [0, 1]),
        ([-1, 1, -1], 2, 2, [0, 2]),
        ([1, -1, -1], 2, 1, [1]),  # fewer shots than it learned with
        ([1, 1, -1], 2, 2, [2]),  # no salvo is left
        ([-1, -1, -1], 3, 3, [0, 1, 2]),
    ],
)
def test_the_likeliest_salvo_of_untried_cells_is_fired(
    board: list[int], shots: int, count: int, salvo: list[int]
) -> None:
    salvos = len(salvos_of(3, shots))
    chosen = network(salvos=salvos, shots=shots).choose(np.array(board), NONE, count)
    assert chosen == salvo


def test_the_bot_shows_its_network_misses_hits_and_sunk_ships() -> None:
    asked: list[tuple[list[int], list[float], int]] = []

    class Shown(SalvoNetwork):
        def choose(self, board: Any, sunk: Any, count: int) -> list[int]:  # noqa: ANN401
            asked.append((board.tolist(), sunk.tolist(), count))
            return [3]

    fleet = (Ship("two", 2), Ship("three", 3), Ship("one", 1))
    bot = SalvoNetworkBot.__new__(SalvoNetworkBot)
    bot.networks = [
        Shown({}, origin(rows=2, columns=4, lengths=lengths)) for lengths in ((2, 1), (3, 2, 1))
    ]
    bot.rules = view(Rules(name="few", rows=2, columns=4, fleet=fleet))
    assert bot.plays(bot.rules)
    assert not bot.plays(view(preset("classic")))
    bot.shot, bot.hits, bot.afloat = [0, 4, 5], [4, 5], [fleet[1], fleet[2]]
    assert bot.choose_shots(1) == [3]
    assert asked == [([0, -1, -1, -1, 1, 1, -1, -1], [0, 1, 0], 1)]


@pytest.mark.parametrize(
    ("fields", "rules", "fits"),
    [
        ({}, {}, True),
        ({"rows": 2}, {}, False),
        ({"columns": 4}, {}, False),
        ({"shots": 2}, {}, False),
        ({"shots": 0}, {"shots": 2}, True),
        ({"shots": 2}, {"shots": 2}, True),
        ({"lengths": (3,)}, {}, False),
        ({"sinkings": True}, {}, True),
        ({"sinkings": True}, {"sinkings": "silent"}, False),
        ({}, {"sinkings": "silent"}, True),
        ({}, {"lies": 1}, False),
    ],
)
def test_weights_are_for_the_game_that_they_were_trained_for(
    fields: dict[str, Any], rules: dict[str, Any], *, fits: bool
) -> None:
    game = Rules(**{"name": "row", "rows": 1, "columns": 3, "fleet": (Ship("two", 2),)} | rules)
    assert origin(**fields).fits(view(game)) == fits

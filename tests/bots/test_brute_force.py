"""brute_force counts placements first, and layouts at the end."""

from collections.abc import Callable
from typing import Any

from arena.rules import Rules, Ship, mask_of, preset

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""


def test_first_shot_is_where_most_placements_lie(
    first_salvo: Callable[..., tuple[int, ...]],
) -> None:
    rules = preset("classic")
    begun = {first_salvo("brute_force", rules, seed=seed) for seed in range(20)}
    assert begun == {(44,), (45,), (54,), (55,)}


def test_is_exact_where_layouts_are_few(play: Play) -> None:
    # Both ships fit into the row in three ways, which all cover cells 1, 3 and 4.
    rules = Rules(name="row", rows=1, columns=6, fleet=(Ship("three", 3), Ship("two", 2)))
    for game in play("brute_force", rules, seeds=range(10), layout=[0b111, 0b11 << 4]):
        assert game.salvos[0].report.hits


def test_follows_the_line_of_the_only_ship(play: Play) -> None:
    rules = Rules(name="one ship", rows=8, columns=8, fleet=(Ship("three", 3),))
    for game in play("brute_force", rules, seeds=range(10), layout=[mask_of([26, 27, 28])]):
        hits = [i for i, cell in enumerate(game.cells) if cell in {26, 27, 28}]
        assert all(cell // 8 == 3 for cell in game.cells[hits[1] :])


def test_mean_in_the_classic_game(mean_turns: Callable[..., float]) -> None:
    assert 39 <= mean_turns("brute_force", "classic", 25) <= 51

"""hunt_target shoots at random until a hit, then around it until the ship is sunk."""

from collections.abc import Callable
from typing import Any

from arena.rules import Rules, Ship, mask_of

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""


PATROL = Ship("patrol boat", 2)
DESTROYER = Ship("destroyer", 3)


def test_tries_nothing_but_neighbours_of_a_hit(play: Play) -> None:
    rules = Rules(name="one ship", rows=7, columns=7, fleet=(PATROL,))
    for game in play("hunt_target", rules, seeds=range(30), layout=[mask_of([24, 25])]):
        first_hit = next(cell for cell in game.cells if cell in {24, 25})
        later = game.cells[game.cells.index(first_hit) + 1 :]
        assert all(abs(cell - first_hit) in {1, 7} for cell in later)


def test_leaves_a_sunk_ship_alone(play: Play) -> None:
    # With 398 cells left, a shot at one of the three around the wreck is next to impossible.
    rules = Rules(name="two ships", rows=20, columns=20, fleet=(PATROL, DESTROYER))
    layout = [mask_of([0, 1]), mask_of([397, 398, 399])]
    followed = 0
    for game in play("hunt_target", rules, seeds=range(60), layout=layout):
        sunk = next(i for i, salvo in enumerate(game.salvos) if "patrol boat" in salvo.report.sunk)
        followed += bool({2, 20, 21}.intersection(game.cells[sunk + 1 : sunk + 2]))
    assert followed <= 3


def test_salvo_spreads_over_different_hits(play: Play) -> None:
    rules = Rules(name="spread", rows=9, columns=9, fleet=(PATROL, DESTROYER), shots=40)
    tried = 0
    for seed in range(200):
        salvos = play(
            "hunt_target", rules, seeds=[seed], layout=[mask_of([10, 11]), mask_of([60, 61, 62])]
        )[0].salvos
        first = set(salvos[0].report.hits)
        if {10, 11} & first and not {10, 11} <= first and len({60, 61, 62} & first) == 1:
            tried += 1
            untried = set(range(81)) - set(salvos[0].cells)
            for hit in first:
                beside = {hit - 9, hit - 1, hit + 1, hit + 9} & untried
                assert beside <= set(salvos[1].cells)
    assert tried


def test_mean_in_the_classic_game(mean_turns: Callable[..., float]) -> None:
    # 62.36 +- 0.27 in 10,000 games; the standard error of 150 games is 1.2.
    assert 59 <= mean_turns("hunt_target", "classic", 150) <= 65.8


def test_salvo_takes_about_fourteen_turns(mean_turns: Callable[..., float]) -> None:
    assert 13.1 <= mean_turns("hunt_target", "salvo", 300) <= 14.4

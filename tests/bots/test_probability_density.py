"""probability_density shoots where most placements of the ships afloat lie."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from arena.rules import Rules, Ship, cells_of, mask_of, placements, preset

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""


def ships(*lengths: int) -> tuple[Ship, ...]:
    return tuple(Ship(f"ship {number}", length) for number, length in enumerate(lengths))


def most_covered(rows: int, columns: int, lengths: list[int], missed: int) -> set[int]:
    """Count one by one what the bot counts all at once."""
    covered: Counter[int] = Counter()
    for length in lengths:
        for place in placements(rows, columns, length):
            if not place & missed:
                covered.update(cells_of(place))
    most = max(covered.values())
    return {cell for cell, number in covered.items() if number == most}


def test_first_shot_is_at_the_centre(first_salvo: Callable[..., tuple[int, ...]]) -> None:
    rules = preset("classic")
    begun = {first_salvo("probability_density", rules, seed=seed) for seed in range(30)}
    assert begun == {(44,), (45,), (54,), (55,)}


def test_while_nothing_is_hit_takes_the_cell_that_most_placements_cover(play: Play) -> None:
    for game in play("probability_density", preset("classic"), seeds=range(10)):
        lengths = [ship.length for ship in preset("classic").fleet]
        missed = 0
        for salvo in game.salvos:
            assert salvo.cells[0] in most_covered(10, 10, lengths, missed)
            if salvo.report.hits:
                break
            missed |= mask_of(salvo.cells)


def test_salvo_is_chosen_as_if_the_earlier_shots_had_missed(play: Play) -> None:
    lengths = [ship.length for ship in preset("salvo").fleet]
    for game in play("probability_density", preset("salvo"), seeds=range(10)):
        missed = 0
        for cell in game.salvos[0].cells:
            assert cell in most_covered(10, 10, lengths, missed)
            missed |= 1 << cell


def test_after_a_hit_tries_its_neighbours(play: Play) -> None:
    rules = Rules(name="one ship", rows=10, columns=10, fleet=ships(2))
    for game in play("probability_density", rules, seeds=range(20), layout=[mask_of([44, 45])]):
        first_hit = next(cell for cell in game.cells if cell in {44, 45})
        later = game.cells[game.cells.index(first_hit) + 1 :]
        assert all(abs(cell - first_hit) in {1, 10} for cell in later)


def test_goes_on_in_line_after_two_hits(play: Play) -> None:
    rules = Rules(name="one ship", rows=10, columns=10, fleet=ships(5))
    layout = range(42, 47)
    for game in play("probability_density", rules, seeds=range(20), layout=[mask_of(layout)]):
        second = [i for i, cell in enumerate(game.cells) if cell in layout][1]
        assert all(cell // 10 == 4 for cell in game.cells[second:])


def test_mean_in_the_classic_game(mean_turns: Callable[..., float]) -> None:
    # 44.58 +- 0.18 in 10,000 games; the standard error of 150 games is 0.77.
    assert 42.2 <= mean_turns("probability_density", "classic", 150) <= 47


def test_salvo_takes_about_eleven_turns(mean_turns: Callable[..., float]) -> None:
    assert 10.5 <= mean_turns("probability_density", "salvo", 100) <= 11.8

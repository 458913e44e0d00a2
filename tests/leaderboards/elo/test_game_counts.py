"""Games of a field as they are counted: by unit, by seat and by bot."""

import numpy as np
import pandas as pd
import pytest

from leaderboards.elo.game_counts import Field, field_of
from leaderboards.inputs import checked_games
from tests.leaderboards.told_games import games


def counted(table: pd.DataFrame) -> Field:
    return field_of(checked_games(table))


def units(field: Field) -> list[tuple[object, ...]]:
    """Return each kind of unit: its bots, its games by seat, how often it was seen, its pairs."""
    return [
        (field.bots[one], field.bots[other], outcomes.tolist(), int(count), int(pairs), int(torn))
        for one, other, outcomes, count, pairs, torn in zip(
            field.one,
            field.other,
            field.outcomes,
            field.counts,
            field.pairs,
            field.incomplete_pairs,
            strict=True,
        )
    ]


GAMES = {"bo ada": "++-+=-++", "ada cy": "+-+", "dot eli": "=="}
WON, DRAWN, LOST = [1, 0, 0], [0, 1, 0], [0, 0, 1]


def test_pairs_that_came_out_alike_are_one_kind() -> None:
    assert units(counted(games(GAMES))) == [
        ("ada", "bo", [LOST, LOST], 1, 1, 0),
        ("ada", "bo", [LOST, WON], 2, 1, 0),
        ("ada", "bo", [WON, DRAWN], 1, 1, 0),
        ("ada", "cy", [WON, [0, 0, 0]], 1, 1, 1),
        ("ada", "cy", [WON, WON], 1, 1, 0),
        ("dot", "eli", [DRAWN, DRAWN], 1, 1, 0),
    ]


def test_blocks_are_units_of_pairs() -> None:
    assert units(counted(games(GAMES, a_block=3))) == [
        ("ada", "bo", [LOST, WON], 1, 1, 0),
        ("ada", "bo", [[1, 0, 2], [1, 1, 1]], 1, 3, 0),
        ("ada", "cy", [[2, 0, 0], [1, 0, 0]], 1, 2, 1),
        ("dot", "eli", [DRAWN, DRAWN], 1, 1, 0),
    ]


def test_blocks_of_games_without_pairs_amount_to_half_as_many_pairs() -> None:
    table = games({"ada bo": "++++" + "+" + "++"}).drop(columns="pair")
    found = counted(table.assign(block=[5, 5, 5, 5, 2, 9, 9]))
    assert sorted(unit[2:] for unit in units(found)) == [
        ([[1, 0, 0], [0, 0, 0]], 1, 1, 0),
        ([[1, 0, 0], [0, 0, 1]], 1, 1, 0),
        ([[2, 0, 0], [0, 0, 2]], 1, 2, 0),
    ]


def test_games_without_pairs_and_blocks_are_each_a_unit() -> None:
    assert units(counted(games({"bo ada": "++-"}).drop(columns="pair"))) == [
        ("ada", "bo", [[0, 0, 0], LOST], 1, 1, 0),
        ("ada", "bo", [[0, 0, 0], WON], 1, 1, 0),
        ("ada", "bo", [LOST, [0, 0, 0]], 1, 1, 0),
    ]


def test_pairs_of_one_number_are_those_of_two_bots_alone() -> None:
    found = counted(games({"ada bo": "++", "cy bo": "+-"}))
    assert found.counts.tolist() == [1, 1]
    assert found.pairs.tolist() == [1, 1]


def test_tables_count_games_by_seat_and_by_bot() -> None:
    found = counted(games(GAMES))
    seats = np.zeros((5, 5, 3), dtype=int)
    seats[0, 1], seats[1, 0] = [1, 0, 3], [2, 1, 1]
    seats[0, 2], seats[2, 0] = [2, 0, 0], [1, 0, 0]
    seats[3, 4], seats[4, 3] = [0, 1, 0], [0, 1, 0]
    assert found.table().tolist() == seats.tolist()
    bots = np.zeros((5, 5, 3), dtype=int)
    bots[0, 1], bots[1, 0] = [2, 1, 5], [5, 1, 2]
    bots[0, 2], bots[2, 0] = [2, 0, 1], [1, 0, 2]
    bots[3, 4], bots[4, 3] = [0, 2, 0], [0, 2, 0]
    assert found.by_bot().tolist() == bots.tolist()
    assert found.units_of_bots().tolist() == [6, 4, 2, 1, 1]


def test_part_of_a_field_has_the_games_between_its_bots() -> None:
    found = counted(games(GAMES))
    part = found.restricted([0, 2, 4])
    assert part.bots == ("ada", "cy", "eli")
    assert units(part) == units(found)[3:5]
    assert units(found.restricted([])) == []
    rest = found.without_pairing(1, 0)
    assert rest.bots == found.bots
    assert units(rest) == units(found)[3:]
    assert units(found.without_pairing(0, 1)) == units(rest)
    assert units(found.without_pairing(1, 2)) == units(found)


@pytest.mark.parametrize(
    ("met", "groups", "cores"),
    [
        (GAMES, [[0, 1, 2], [3, 4]], [[0, 1, 2], [3], [4]]),
        ({"ada bo": "+-+-", "cy dot": "++"}, [[0, 1], [2, 3]], [[0, 1], [2], [3]]),
        ({"ada bo": "++", "bo cy": "++", "cy ada": "++"}, [[0, 1, 2]], [[0, 1, 2]]),
        ({"ada bo": "==", "bo cy": "++"}, [[0, 1, 2]], [[0], [1], [2]]),
        # Where all is drawn, draws count both ways.
        ({"ada bo": "==", "bo cy": "=", "dot eli": "="}, [[0, 1, 2], [3, 4]], [[0, 1, 2], [3, 4]]),
        ({"dot eli": "+", "ada bo": "+"}, [[0, 1], [2, 3]], [[0], [1], [2], [3]]),
        ({}, [], []),
    ],
)
def test_groups_are_linked_by_games_and_cores_by_wins_both_ways(
    met: dict[str, str], groups: list[list[int]], cores: list[list[int]]
) -> None:
    found = counted(games(met))
    assert found.components() == groups
    assert found.cores() == cores

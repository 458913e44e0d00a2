"""A bot knows which of its own ships may move, and where to."""

from random import Random

import pytest

from arena import Bot
from arena.rules import Rules, Ship, view
from bots.tactics.own_fleet import OwnFleet, _suspected

RULES = Rules(
    name="moving",
    rows=3,
    columns=6,
    fleet=(Ship("A", 2), Ship("B", 2)),
    moves=True,
    reshoot=True,
)


def fleet_after(*incoming: tuple[int, ...]) -> tuple[Bot, OwnFleet]:
    bot = Bot()
    bot.rules = view(RULES)
    bot.layout = {"A": (1, 2), "B": (3, 4)}
    bot.incoming = list(incoming)
    bot.random = Random(3)
    return bot, OwnFleet(bot)


def test_ships_move_along_their_axis_clear_of_each_other() -> None:
    _, own_fleet = fleet_after()
    assert sorted(own_fleet.moves()) == [("A", [0, 1]), ("B", [4, 5])]


def test_ship_that_was_hit_stays() -> None:
    _, own_fleet = fleet_after((1,))
    assert own_fleet.moves() == [("B", [4, 5])]


def test_sunk_ship_is_in_no_ships_way() -> None:
    _, own_fleet = fleet_after((1,), (2,))
    assert sorted(own_fleet.moves()) == [("B", [2, 3]), ("B", [4, 5])]


def test_shot_at_a_cell_that_a_ship_enters_later_is_no_hit() -> None:
    bot, own_fleet = fleet_after((0,))
    own_fleet.moves()
    bot.layout = {"A": (0, 1), "B": (3, 4)}
    assert ("A", [1, 2]) in own_fleet.moves()


def test_ship_goes_to_where_the_opponent_has_just_missed() -> None:
    _, own_fleet = fleet_after((0,), (7,))
    assert own_fleet.hiding_move() == ("A", [0, 1])


def test_latest_of_two_misses_hides_a_ship_better() -> None:
    _, own_fleet = fleet_after((0,), (5,))
    assert own_fleet.hiding_move() == ("B", [4, 5])


def test_ship_on_a_cell_that_was_missed_stays() -> None:
    bot, own_fleet = fleet_after((0,), (5,))
    own_fleet.moves()
    bot.layout = {"A": (0, 1), "B": (4, 5)}
    assert own_fleet.hiding_move() is None


def test_half_the_time_ships_stay_where_no_move_hides_one() -> None:
    _, own_fleet = fleet_after()
    moved = sum(own_fleet.hiding_move() is not None for _ in range(200))
    assert 60 < moved < 140


class Chance(Random):
    """Draws the same number always."""

    drawn = 0.0

    def random(self) -> float:
        return self.drawn


@pytest.mark.parametrize(("drawn", "stays"), [(0.49, False), (0.51, True)])
def test_a_ship_that_no_move_hides_stays_half_the_time(*, drawn: float, stays: bool) -> None:
    bot, own_fleet = fleet_after()
    bot.random = chance = Chance(1)
    chance.drawn = drawn
    assert (own_fleet.hiding_move() is None) == stays


@pytest.mark.parametrize(
    ("incoming", "move"),
    [
        # The cells ahead of A and B, long ago and of late.
        ([(0,), (14,), (5,)], ("B", [4, 5])),
        ([(5,), (14,), (0,)], ("A", [0, 1])),
        ([(0,), (0,), (5,), (0,)], ("A", [0, 1])),
    ],
)
def test_a_ship_hides_where_the_opponent_shot_last(
    incoming: list[tuple[int, ...]], move: tuple[str, list[int]]
) -> None:
    _, own_fleet = fleet_after(*incoming)
    assert own_fleet.hiding_move() == move


def test_a_ship_that_is_hit_on_every_cell_is_sunk_however_many_salvos_it_takes() -> None:
    bot, own_fleet = fleet_after((3,))
    assert own_fleet.moves() == [("A", [0, 1])]
    bot.incoming.append((0, 4))
    assert sorted(own_fleet.moves()) == [("A", [0, 1]), ("A", [2, 3])]
    bot.incoming.append((3, 4))
    assert sorted(own_fleet.moves()) == [("A", [0, 1]), ("A", [2, 3])]


def test_no_move_is_made_where_none_is_legal() -> None:
    _, own_fleet = fleet_after((1,), (3,))
    assert own_fleet.moves() == []
    assert own_fleet.hiding_move() is None


def test_suspicion_of_a_ship_is_the_product_over_its_cells() -> None:
    suspicion = {0: 0.5, 1: 0.25}
    assert _suspected(suspicion, [0, 1]) == 0.125
    assert _suspected(suspicion, [1, 2]) == 0.25
    assert _suspected(suspicion, [2, 3]) == 1

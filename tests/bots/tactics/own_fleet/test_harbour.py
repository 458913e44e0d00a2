"""A bot's harbour knows which of its own ships may move."""

from arena import Bot
from arena.rules import Rules, Ship, view
from bots.tactics.own_fleet import Harbour

RULES = Rules(
    name="harbour",
    rows=3,
    columns=6,
    fleet=(Ship("A", 2), Ship("B", 2)),
    moves=True,
    reshoot=True,
)


def docked(*incoming: tuple[int, ...]) -> tuple[Bot, Harbour]:
    bot = Bot()
    bot.rules = view(RULES)
    bot.layout = {"A": (1, 2), "B": (3, 4)}
    bot.incoming = list(incoming)
    return bot, Harbour(bot)


def test_ships_move_along_their_axis_clear_of_each_other() -> None:
    _, harbour = docked()
    assert sorted(harbour.moves()) == [("A", [0, 1]), ("B", [4, 5])]


def test_ship_that_was_hit_stays() -> None:
    _, harbour = docked((1,))
    assert harbour.moves() == [("B", [4, 5])]


def test_ship_that_is_sunk_is_in_nobodys_way() -> None:
    _, harbour = docked((1,), (2,))
    assert sorted(harbour.moves()) == [("B", [2, 3]), ("B", [4, 5])]


def test_shot_at_where_a_ship_lies_only_later_is_no_hit() -> None:
    bot, harbour = docked((0,))
    harbour.moves()
    bot.layout = {"A": (0, 1), "B": (3, 4)}
    assert ("A", [1, 2]) in harbour.moves()

"""Mistakes in what a bot's methods return are reported in its author's words."""

import inspect
import re

import pytest

from arena import Bot
from arena.bot import Session
from arena.protocol import (
    AnswerSalvo,
    Game,
    Hello,
    Layout,
    Limits,
    MoveShip,
    PlaceFleet,
    ShootSalvo,
    Shots,
    ToBot,
)
from arena.rules import CellsReport, preset, view

SALVO = view(preset("salvo"))
SHOOT = ShootSalvo("s", 3, 9.0, None, ())
PLACE = PlaceFleet("p", 9.0)
MOVE = MoveShip("m", 9.0, None, ())
ANSWER = AnswerSalvo("a", 9.0, (4, 5), (4,), (), 1)
HELLO = Hello(1, SALVO)


class Whole:
    """A whole number of another library, such as numpy's."""

    def __index__(self) -> int:
        return 7


def bot_whose(method: str, returned: object) -> tuple[Bot, int]:
    """Return a bot whose method returns something, and the line that defines it."""

    def wrong(_self: Bot, *_: object) -> object:
        return returned

    wrong.__name__ = method
    made = type("Mine", (Bot,), {method: wrong})
    return made(), inspect.getsourcelines(wrong)[1]


def begun(bot: Bot) -> Session:
    session = Session(bot)
    session.answer(Game(SALVO, "first", 7, solo=False, limits=Limits(2.0, 60.0, 10.0)))
    return session


EXPECTED = "expected 3 different cells that were not shot yet, such as [0, 1, 2]"
SHIPS = (
    "expected a dict with the cells of each ship by its name, such as "
    "{'Carrier': [0, 1, 2, 3, 4], ...}"
)


@pytest.mark.parametrize(
    ("method", "returned", "message", "words"),
    [
        ("choose_shots", None, SHOOT, f"returned None; {EXPECTED}"),
        ("choose_shots", 17, SHOOT, f"returned 17; {EXPECTED}"),
        (
            "choose_shots",
            ((0, 1), (2, 3), (4, 5)),
            SHOOT,
            (
                "returned ((0, 1), (2, 3), (4, 5)), of which (0, 1) is no cell: a cell is one "
                f"number, row * 10 + column; {EXPECTED}"
            ),
        ),
        (
            "choose_shots",
            [3, 4.0, 5],
            SHOOT,
            (
                "returned [3, 4.0, 5], of which 4.0 is no cell: a cell is a whole number, so "
                f"return int(4.0); {EXPECTED}"
            ),
        ),
        (
            "choose_shots",
            "A1",
            SHOOT,
            f"returned 'A1', of which 'A' is no cell: a cell is a number from 0 to 99; {EXPECTED}",
        ),
        (
            "choose_shots",
            [3, 4, 3],
            SHOOT,
            f"returned [3, 4, 3], in which cell 3 appears twice; {EXPECTED}",
        ),
        ("choose_shots", [3], SHOOT, f"returned [3], which is 1 cell; {EXPECTED}"),
        ("choose_shots", [], SHOOT, f"returned [], which is 0 cells; {EXPECTED}"),
        (
            "choose_shots",
            [98, 99, 100],
            SHOOT,
            (
                f"returned [98, 99, 100], of which cell 100 is off the board, whose last is 99; "
                f"{EXPECTED}"
            ),
        ),
        (
            "choose_shots",
            [0, 1, -1],
            SHOOT,
            f"returned [0, 1, -1], of which cell -1 is off the board, whose last is 99; {EXPECTED}",
        ),
        *(
            (
                "choose_shots",
                [0, odd],
                SHOOT,
                (
                    f"returned [0, {odd}], of which {odd} is no cell: a cell is a number from 0 "
                    f"to 99; {EXPECTED}"
                ),
            )
            for odd in ((0, 0.5), (0, 1, 2))
        ),
        (
            "choose_shots",
            [],
            ShootSalvo("s", 5, 9.0, None, ()),
            (
                "returned [], which is 0 cells; expected 5 different cells that were not shot yet, "
                "such as [0, 1, 2, 3, 4]"
            ),
        ),
        (
            "choose_shots",
            [],
            ShootSalvo("s", 6, 9.0, None, ()),
            (
                "returned [], which is 0 cells; expected 6 different cells that were not shot yet, "
                "such as [0, 1, 2, 3, 4, ...]"
            ),
        ),
        ("place_fleet", [[0, 1], [5, 6]], PLACE, f"returned [[0, 1], [5, 6]]; {SHIPS}"),
        ("place_fleet", {"Carrier": 4}, PLACE, f"returned {{'Carrier': 4}}; {SHIPS}"),
        (
            "place_fleet",
            {"Carrier": [(0, 1)]},
            PLACE,
            (
                "returned {'Carrier': [(0, 1)]}, of which (0, 1) is no cell: a cell is one number, "
                f"row * 10 + column; {SHIPS}"
            ),
        ),
        (
            "move_ship",
            "Tug",
            MOVE,
            "returned 'Tug'; expected None, or the name of a ship and its cells after the move",
        ),
        (
            "answer_salvo",
            None,
            ANSWER,
            (
                "returned None; expected those of the cells [4, 5] that you say were hit, such as "
                "`hits`"
            ),
        ),
        *(
            ("plays", odd, HELLO, f"returned {odd}; expected True or False")
            for odd in (None, 2, [True])
        ),
    ],
)
def test_mistake_names_the_method_its_line_what_it_returned_and_what_is_expected(
    method: str, returned: object, message: ToBot, words: str
) -> None:
    bot, line = bot_whose(method, returned)
    session = begun(bot)
    with pytest.raises((TypeError, ValueError)) as caught:
        session.answer(message)
    assert str(caught.value) == f"{method} (test_returned.py, line {line}) {words}"


def test_cell_that_was_shot_before_is_a_mistake() -> None:
    bot, _ = bot_whose("choose_shots", [3])
    session = begun(bot)
    session.answer(ShootSalvo("s", 1, 9.0, None, ()))
    with pytest.raises(ValueError, match=r"cell 3 was already shot; expected 1 cell that was not "):
        session.answer(ShootSalvo("t", 1, 9.0, CellsReport((), ()), ()))


@pytest.mark.parametrize(("last", "shown"), [(24, "24]"), (240, "240...")])
def test_long_results_are_cut_after_sixty_characters(last: int, shown: str) -> None:
    bot, line = bot_whose("choose_shots", [*range(10, 24), last])
    cells = ", ".join(map(str, range(10, 24)))
    told = f"line {line}) returned [{cells}, {shown}, which is 15 cells; {EXPECTED}"
    with pytest.raises(ValueError, match=f"{re.escape(told)}$"):
        begun(bot).answer(SHOOT)


@pytest.mark.parametrize(
    "returned", [(7, 8, 9), [Whole(), 8, 9], {7: 0, 8: 0, 9: 0}, iter([7, 8, 9]), range(7, 10)]
)
def test_cells_may_come_in_any_collection(returned: object) -> None:
    bot, _ = bot_whose("choose_shots", returned)
    assert begun(bot).answer(SHOOT) == Shots("s", (7, 8, 9))


def test_ships_may_come_in_any_mapping_and_collection() -> None:
    bot, _ = bot_whose("place_fleet", {"Carrier": range(5)})
    assert begun(bot).answer(PLACE) == Layout("p", {"Carrier": (0, 1, 2, 3, 4)})


def test_method_without_a_line_of_its_own_is_named_all_the_same() -> None:
    bot, _ = bot_whose("choose_shots", None)
    type(bot).choose_shots = print  # type: ignore[assignment, method-assign]
    with pytest.raises(TypeError, match=r"^print returned None; expected 3"):
        begun(bot).answer(SHOOT)

"""A class of bots as an entrant: its content is the file or the cell that defines it."""

import linecache
from pathlib import Path

import pytest

from arena.bot import Bot
from arena.entrants import ClassEntrant, Library, enter_class
from arena.errors import BotError

ARENA_ALONE = Library([])

CELL = """
from arena.bot import Bot

LEAST = {least}

class Mine(Bot):
    def choose_shots(self, count):
        return self.untried[LEAST:][:count]
"""


def bot_of(text: str, name: str = "Mine") -> type[Bot]:
    """Run a cell as a notebook does, and return the class of bots that it defines."""
    cell = f"<cell {abs(hash(text))}>"
    linecache.cache[cell] = (len(text), None, text.splitlines(keepends=True), cell)
    values = {"__name__": "a_notebook"}
    exec(compile(text, cell, "exec"), values)  # noqa: S102 - what a notebook does
    found = values[name]
    assert isinstance(found, type)
    return found


def entered(text: str, name: str = "Mine") -> ClassEntrant:
    return enter_class(bot_of(text, name), ARENA_ALONE)


class InThisFile(Bot):
    def choose_shots(self, count: int) -> list[int]:
        return self.untried[:count]


def test_class_is_entered_under_its_own_name_without_a_program() -> None:
    entrant = enter_class(InThisFile, ARENA_ALONE)
    assert entrant.name == "InThisFile"
    assert entrant.bot is InThisFile
    assert entrant.program.argv == ()


def test_same_cell_is_the_same_bot_and_a_changed_one_another() -> None:
    assert entered(CELL.format(least=0)).digest == entered(CELL.format(least=0)).digest
    assert entered(CELL.format(least=0)).digest != entered(CELL.format(least=1)).digest


def test_class_that_it_derives_from_belongs_to_it() -> None:
    derived = "{cell}\nclass Deep(Mine):\n    def plays(self, rules):\n        return True\n"
    one, other = (entered(derived.format(cell=CELL.format(least=n)), "Deep") for n in (0, 1))
    assert one.digest != other.digest


def test_plain_values_of_a_class_belong_to_it_wherever_they_come_from() -> None:
    text = CELL.format(least=0)
    one, other = bot_of(text), bot_of(text)
    other.depth = 3  # type: ignore[attr-defined]
    assert enter_class(one, ARENA_ALONE).digest != enter_class(other, ARENA_ALONE).digest


def test_what_the_class_imports_of_salvo_belongs_to_it() -> None:
    bundled = Path(__file__).parents[3] / "bots" / "hunt_target.py"
    text = CELL.format(least=0)
    more = f"from bots.tactics import tracking\n{text}"
    library = Library.around({"hunt_target": bundled})
    with_packages = [enter_class(bot_of(one), library) for one in (text, more)]
    assert with_packages[0].digest != with_packages[1].digest


@pytest.mark.parametrize("bot_class", [int, Path])
def test_class_of_something_else_is_refused(bot_class: type) -> None:
    with pytest.raises(BotError, match=r"it is no bot; derive it from arena\.Bot"):
        enter_class(bot_class, ARENA_ALONE)


def test_class_without_a_source_is_refused() -> None:
    nowhere = type("Nowhere", (Bot,), {"__module__": "a_notebook"})
    with pytest.raises(BotError, match="class Nowhere: its source cannot be found"):
        enter_class(nowhere, ARENA_ALONE)


def test_name_that_tables_cannot_show_is_refused() -> None:
    odd = type("Bot\u0430", (InThisFile,), {"__module__": __name__})
    with pytest.raises(BotError, match="cannot be shown in tables"):
        enter_class(odd, ARENA_ALONE)

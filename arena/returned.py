"""Checks what the methods of a bot return: a mistake is reported in its author's words.

A message names the method and where its file defines it, what it returned, and what is expected:
a traceback would end inside Salvo, where there is nothing to fix.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import isfinite
from operator import index
from typing import Any

from arena.rules import RulesView
from arena.text import counted, printable

Cells = tuple[int, ...]

_SHOWN_CHARACTERS = 60
_EXAMPLES = 5


def open_cells(rules: RulesView, shot: Iterable[int]) -> set[int]:
    """Return the cells that may be shot after those in ``shot``."""
    cells = set(range(rules.cells))
    return cells if rules.reshoot else cells.difference(shot)


def shots_in(
    method: object, returned: object, count: int, rules: RulesView, may_shoot: AbstractSet[int]
) -> Cells:
    """Return the cells that ``choose_shots`` returned; ``may_shoot`` are the ``open_cells``.

    Raises:
        TypeError: If it is no collection of cells.
        ValueError: If these are not as many, or not such, as may be shot.
    """

    def expected() -> str:
        return _expected_shots(count, rules, may_shoot)

    cells = _cells(method, returned, returned, expected, rules)
    different = set(cells)
    if len(cells) == len(different) == count and different <= may_shoot:
        return cells
    problem = _problem(cells, count, rules, may_shoot)
    raise ValueError(f"{_returned(method, returned)}, {problem}; expected {expected()}")


def _problem(cells: Cells, count: int, rules: RulesView, may_shoot: AbstractSet[int]) -> str:
    if len(cells) != count:
        return f"which is {counted(len(cells), 'cell')}"
    for number, one in enumerate(cells):
        if one in cells[:number]:
            return f"in which cell {one} appears twice"
        if one not in may_shoot:
            break
    if 0 <= one < rules.cells:
        return f"of which cell {one} was already shot"
    return f"of which cell {one} is off the board, whose last is {rules.cells - 1}"


def _expected_shots(count: int, rules: RulesView, may_shoot: AbstractSet[int]) -> str:
    different = "different cells" if rules.reshoot else "different cells that were not shot yet"
    cell = "cell" if rules.reshoot else "cell that was not shot yet"
    free = sorted(may_shoot)[: min(count, _EXAMPLES)]
    dots = ", ..." if count > len(free) else ""
    example = f"[{', '.join(map(str, free))}{dots}]"
    return f"{count} {different if count != 1 else cell}, such as {example}"


def layout_in(method: object, returned: object, rules: RulesView) -> dict[str, Cells]:
    """Return the cells of each ship that ``place_fleet`` returned.

    Raises:
        TypeError: If it is no mapping of names to cells.
    """

    def expected() -> str:
        first = rules.fleet[0]
        example = f"{{{first.name!r}: {list(range(first.length))}, ...}}"
        return f"a dict with the cells of each ship by its name, such as {example}"

    if not isinstance(returned, Mapping) or not all(isinstance(name, str) for name in returned):
        raise TypeError(f"{_returned(method, returned)}; expected {expected()}")
    return {
        name: _cells(method, returned, cells, expected, rules) for name, cells in returned.items()
    }


def move_in(method: object, returned: object, rules: RulesView) -> tuple[str, Cells] | None:
    """Return the ship, and its cells, that ``move_ship`` returned, or None for no move.

    Raises:
        TypeError: If it is neither.
    """
    if returned is None:
        return None
    expected = "None, or the name of a ship and its cells after the move"
    match returned:
        case (str(name), cells):
            return name, _cells(method, returned, cells, lambda: expected, rules)
    raise TypeError(f"{_returned(method, returned)}; expected {expected}")


def hits_in(method: object, returned: object, cells: Sequence[int], rules: RulesView) -> Cells:
    """Return the cells that ``answer_salvo`` returned.

    Raises:
        TypeError: If it is no collection of cells.
    """
    return _cells(
        method,
        returned,
        returned,
        lambda: f"those of the cells {list(cells)} that you say were hit, such as `hits`",
        rules,
    )


def numbers_in(method: object, returned: object) -> dict[str, float]:
    """Return the numbers that ``numbers`` returned, by their names.

    Raises:
        TypeError: If it is no mapping of names to numbers.
        ValueError: If one is not finite.
    """
    told: dict[str, float] = {}
    expected = "a dict of numbers by short names, such as {'tokens': 812}"
    try:
        for name, value in returned.items():  # type: ignore[attr-defined] # or that is the mistake
            told[name] = float(value)
    except (ArithmeticError, AttributeError, TypeError, ValueError):
        raise TypeError(f"{_returned(method, returned)}; expected {expected}") from None
    if not all(map(isfinite, told.values())):
        raise ValueError(f"{_returned(method, returned)}, of which one is not finite")
    return told


def willingness_in(method: object, returned: object) -> bool:
    """Return what ``plays`` returned.

    Raises:
        TypeError: If it is neither True nor False.
    """
    # What numpy calls True is no bool, but equals one of the two.
    if isinstance(returned, Iterable) or returned not in (True, False):
        raise TypeError(f"{_returned(method, returned)}; expected True or False")
    return bool(returned)


def _cells(
    method: object, returned: object, part: object, expected: Callable[[], str], rules: RulesView
) -> Cells:
    """Return the cells in ``part`` of what a method returned, or in all of it.

    What was expected is a function, since it is called for mistakes alone.
    """
    # Faster than the base class Iterable, which asks for the same.
    if not hasattr(type(part), "__iter__"):
        raise TypeError(f"{_returned(method, returned)}; expected {expected()}")
    within: tuple[Any, ...] = tuple(part)  # type: ignore[arg-type] # it has __iter__
    try:
        return tuple(map(index, within))  # accepts numpy integers
    except TypeError:
        shown = returned if isinstance(returned, Sequence | Mapping) else within
        why = _no_cell(next(cell for cell in within if not _is_whole(cell)), rules)
        raise TypeError(
            f"{_returned(method, shown)}, of which {why}; expected {expected()}"
        ) from None


def _is_whole(cell: object) -> bool:
    return hasattr(type(cell), "__index__")


def _no_cell(value: object, rules: RulesView) -> str:
    shown = _shown(value)
    if isinstance(value, Sequence) and len(value) == 2 and all(map(_is_whole, value)):  # noqa: PLR2004
        return f"{shown} is no cell: a cell is one number, row * {rules.columns} + column"
    if isinstance(value, float):
        return f"{shown} is no cell: a cell is a whole number, so return int({shown})"
    return f"{shown} is no cell: a cell is a number from 0 to {rules.cells - 1}"


def _returned(method: object, returned: object) -> str:
    function = getattr(method, "__func__", method)
    name = getattr(function, "__name__", type(function).__name__)
    code = getattr(function, "__code__", None)
    if code is not None:
        file = os.path.basename(code.co_filename)  # noqa: PTH119 - pathlib takes long to import
        name = f"{name} ({file}, line {code.co_firstlineno})"
    return f"{name} returned {_shown(returned)}"


def _shown(value: object) -> str:
    text = " ".join(repr(value).split())
    return printable(text, _SHOWN_CHARACTERS)

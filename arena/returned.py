"""Checks what the methods of a bot return: a mistake is reported in its author's words.

A message names the method and where its file defines it, what it returned, and what is expected:
a traceback would end inside Salvo, where there is nothing to fix.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from operator import index

from arena.rules import RulesView
from arena.text import printable

Cells = tuple[int, ...]

_SHOWN_CHARACTERS = 60
_EXAMPLES = 5


def shots_in(
    method: object, returned: object, count: int, rules: RulesView, shot: AbstractSet[int]
) -> Cells:
    """Return the cells that ``choose_shots`` returned.

    Raises:
        TypeError: If it is no collection of cells.
        ValueError: If these are not as many, or not such, as may be shot.
    """
    cells = _cells(method, returned, lambda: _expected_shots(count, rules, shot), rules)
    if (
        len(cells) == len(set(cells)) == count
        and (rules.reshoot or shot.isdisjoint(cells))
        and (not cells or (min(cells) >= 0 and max(cells) < rules.cells))
    ):
        return cells
    problem, expected = _problem(cells, count, rules, shot), _expected_shots(count, rules, shot)
    raise ValueError(f"{_returned(method, returned)}, {problem}; expected {expected}")


def _problem(cells: Cells, count: int, rules: RulesView, shot: AbstractSet[int]) -> str:
    if len(cells) != count:
        return f"which is {len(cells)} cell{'' if len(cells) == 1 else 's'}"
    for number, one in enumerate(cells):
        if one in cells[:number]:
            return f"in which cell {one} appears twice"
        if one in shot and not rules.reshoot:
            return f"of which cell {one} was already shot"
        if not 0 <= one < rules.cells:
            break
    return f"of which cell {one} is off the board, whose last is {rules.cells - 1}"


def _expected_shots(count: int, rules: RulesView, shot: AbstractSet[int]) -> str:
    closed = set() if rules.reshoot else shot
    different = "different cells" if rules.reshoot else "different cells that were not shot yet"
    cell = "cell" if rules.reshoot else "cell that was not shot yet"
    free = [cell for cell in range(rules.cells) if cell not in closed][: min(count, _EXAMPLES)]
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
        name: _cells(method, returned, expected, rules, part=cells)
        for name, cells in returned.items()
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
            return name, _cells(method, returned, lambda: expected, rules, part=cells)
    raise TypeError(f"{_returned(method, returned)}; expected {expected}")


def hits_in(method: object, returned: object, cells: Sequence[int], rules: RulesView) -> Cells:
    """Return the cells that ``answer_salvo`` returned.

    Raises:
        TypeError: If it is no collection of cells.
    """
    return _cells(
        method,
        returned,
        lambda: f"those of the cells {list(cells)} that you say were hit, such as `hits`",
        rules,
    )


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
    method: object, returned: object, expected: Callable[[], str], rules: RulesView, **part: object
) -> Cells:
    """Return the cells in what a method returned, or in ``part`` of it.

    What was expected is a function, since it is called for mistakes alone.
    """
    within = part.get("part", returned)
    if not isinstance(within, Iterable):
        raise TypeError(f"{_returned(method, returned)}; expected {expected()}")
    within = tuple(within)
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

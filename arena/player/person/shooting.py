"""Typing a salvo cell by cell, with undo."""

from arena.player.person import words
from arena.player.person.chart import Chart
from arena.player.person.dialogue import UNDO, Dialogue
from arena.rules import Rules, read_cell

_HINT = (
    "Type the cells to shoot at, such as A1 or a1, separated by spaces or commas. A salvo of "
    "several is fired when you press Enter once more; until then u takes its last cell back."
)


def choose_shots(chart: Chart, dialogue: Dialogue, due: int) -> tuple[int, ...]:
    """Return the cells that a person chooses to shoot at."""
    dialogue.show(chart)
    dialogue.say(words.fleets(chart))
    chosen: tuple[int, ...] = ()
    while True:
        answer = dialogue.ask(_prompt(chart, chosen, due), _HINT)
        if not answer and len(chosen) == due:
            return chosen
        try:
            chosen = _after(chart, chosen, due, answer)
        except ValueError as error:
            dialogue.say(str(error))
        if len(chosen) == due == 1:
            return chosen


def _prompt(chart: Chart, chosen: tuple[int, ...], due: int) -> str:
    if due == 1:
        return "Your shot: "
    if len(chosen) == due:
        return f"Enter fires {chart.names(chosen)}, u takes the last back: "
    if chosen:
        return f"{chart.names(chosen)}, and {due - len(chosen)} more: "
    return f"Your {due} shots: "


def _after(chart: Chart, chosen: tuple[int, ...], due: int, answer: str) -> tuple[int, ...]:
    """Return the cells chosen after an answer.

    Raises:
        ValueError: If the answer cannot be used; the message says why.
    """
    if answer.lower() in UNDO:
        if not chosen:
            raise ValueError("No cell is chosen yet.")
        return chosen[:-1]
    cells = read_cells(chart.rules, answer)
    if not cells:
        raise ValueError(_HINT)
    if len(chosen) + len(cells) > due:
        wanted = "One shot is due" if due == 1 else f"{due} shots are due"
        raise ValueError(f"{wanted}, and that would make {len(chosen) + len(cells)}.")
    salvo = (*chosen, *cells)
    for cell in cells:
        if cell in chart.marks and not chart.rules.reshoot:
            raise ValueError(f"{chart.name(cell)} was shot before.")
        if salvo.count(cell) > 1:
            raise ValueError(f"{chart.name(cell)} would be shot twice in one salvo.")
    return salvo


def read_cells(rules: Rules, answer: str) -> list[int]:
    """Return the cells that an answer names.

    Raises:
        ValueError: If a word of it is not a cell of the board.
    """
    names = answer.replace(",", " ").replace(";", " ").split()
    return [read_cell(name, rules.rows, rules.columns) for name in names]

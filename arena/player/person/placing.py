"""Placing a fleet by hand or at random, with undo."""

from random import Random

from arena.player.person.chart import Chart
from arena.player.person.dialogue import UNDO, Dialogue
from arena.rules import Layout, Rules, Ship, barred, draw, mask_of, placements, read_cell

RANDOM = ("r", "random")
_ACROSS = ("right", "across", "a")
_DOWN = ("down", "d")
_HINT = (
    "Type the first and the last cell of the ship, as in A1 A5, all of its cells, or one end and a "
    "direction: A1 right, A1 down. r places the whole fleet at random, u takes the last ship back."
)


def choose_layout(chart: Chart, dialogue: Dialogue, random: Random) -> Layout:
    """Return the layout that a person chooses."""
    rules = chart.rules
    shown: Layout | None = None
    while True:
        if chart.placed and chart.placed != shown:
            dialogue.show(chart)
        shown = chart.placed
        if len(shown) == len(rules.fleet):
            prompt = "Enter takes this fleet, r draws another, u takes a ship back: "
        else:
            prompt = _prompt(rules.fleet[len(shown)], first=not shown)
        answer = dialogue.ask(prompt, _HINT).lower()
        if not answer and len(shown) == len(rules.fleet):
            return shown
        try:
            chart.placed = _after(rules, shown, answer, random)
        except ValueError as error:
            dialogue.say(str(error))


def _prompt(ship: Ship, *, first: bool) -> str:
    cells = "1 cell" if ship.length == 1 else f"{ship.length} cells"
    return f"{ship.name}, {cells}{' (r for a fleet at random)' if first else ''}: "


def _after(rules: Rules, placed: Layout, answer: str, random: Random) -> Layout:
    """Return the ships placed after an answer.

    Raises:
        ValueError: If the answer cannot be used; the message says why.
    """
    if answer in RANDOM:
        return draw(rules, random)
    if answer in UNDO:
        if not placed:
            raise ValueError("No ship is placed yet.")
        return placed[:-1]
    if len(placed) == len(rules.fleet):
        raise ValueError("All ships are placed: press Enter, or type r or u.")
    ship = rules.fleet[len(placed)]
    closed = 0
    for mask in placed:
        closed |= barred(rules.rows, rules.columns, mask, rules.touching)
    options = placements(rules.rows, rules.columns, ship.length)
    if not any(not mask & closed for mask in options):
        raise ValueError(f"There is no room left for the {ship.name}: u takes a ship back.")
    mask = _read_ship(rules, ship, answer)
    if mask & closed:
        taken = bool(mask & sum(placed))
        verb = "lies on" if taken else "touches"
        raise ValueError(f"The {ship.name} {verb} another ship there.")
    return (*placed, mask)


def _read_ship(rules: Rules, ship: Ship, answer: str) -> int:
    """Return the mask of a ship that a person typed."""
    words = answer.replace(",", " ").split()
    if len(words) == 1 and ship.length == 1:
        words *= 2
    if len(words) not in {2, ship.length}:
        raise ValueError(f"{answer!r} does not place a ship. {_HINT}" if answer else _HINT)
    start = read_cell(words[0], rules.rows, rules.columns)
    if words[1] in _ACROSS:
        cells = [start + step for step in range(ship.length)]
    elif words[1] in _DOWN:
        cells = [start + step * rules.columns for step in range(ship.length)]
    elif len(words) > 2:  # noqa: PLR2004 - not the two ends
        cells = [read_cell(word, rules.rows, rules.columns) for word in words]
    else:
        cells = _between(rules, start, read_cell(words[1], rules.rows, rules.columns))
        if cells and len(cells) != ship.length:
            raise ValueError(
                f"{words[0].upper()} to {words[1].upper()} is {len(cells)} cells; "
                f"the {ship.name} has {ship.length}."
            )
    mask = mask_of(cells)
    if mask not in placements(rules.rows, rules.columns, ship.length):
        why = "leaves the board" if words[1] in (*_ACROSS, *_DOWN) else "must lie in a line"
        raise ValueError(f"The {ship.name} {why} there.")
    return mask


def _between(rules: Rules, start: int, end: int) -> list[int]:
    """Return the cells from one end to the other; empty if they are not in line."""
    first, last = min(start, end), max(start, end)
    if first // rules.columns == last // rules.columns:
        return list(range(first, last + 1))
    if first % rules.columns == last % rules.columns:
        return list(range(first, last + 1, rules.columns))
    return []

"""Asks a person for a fleet, a salvo, a move or an answer, until what is typed can be used."""

from collections.abc import Sequence
from random import Random

from arena.player.person import sentences
from arena.player.person.chart import Chart
from arena.player.person.dialogue import UNDO, Dialogue
from arena.player.person.sentences import direction
from arena.rules import (
    AnswerRequest,
    Layout,
    Move,
    Rules,
    Ship,
    barred,
    cells_of,
    draw,
    legal_moves,
    mask_of,
    placements,
    read_cell,
)
from arena.text import counted

RANDOM = ("r", "random")
_ACROSS = ("right", "across", "a")
_DOWN = ("down", "d")
_PLACING = (
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
            prompt = _fleet_prompt(rules.fleet[len(shown)], first=not shown)
        answer = dialogue.ask(prompt, _PLACING).lower()
        if not answer and len(shown) == len(rules.fleet):
            return shown
        try:
            chart.placed = _placed_after(rules, shown, answer, random)
        except ValueError as error:
            dialogue.say(str(error))


def _fleet_prompt(ship: Ship, *, first: bool) -> str:
    option = " (r for a fleet at random)" if first else ""
    return f"{ship.name}, {counted(ship.length, 'cell')}{option}: "


def _placed_after(rules: Rules, placed: Layout, answer: str, random: Random) -> Layout:
    """Return the ships placed after an answer."""
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
    words = answer.replace(",", " ").split()
    if len(words) == 1 and ship.length == 1:
        words *= 2
    if len(words) not in {2, ship.length}:
        raise ValueError(f"{answer!r} does not place a ship. {_PLACING}" if answer else _PLACING)
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
    first, last = min(start, end), max(start, end)
    if first // rules.columns == last // rules.columns:
        return list(range(first, last + 1))
    if first % rules.columns == last % rules.columns:
        return list(range(first, last + 1, rules.columns))
    return []


_SHOOTING = (
    "Type the cells to shoot at, such as A1 or a1, separated by spaces or commas. A salvo of "
    "several is fired when you press Enter once more; until then u takes its last cell back."
)


def choose_shots(chart: Chart, dialogue: Dialogue, due: int) -> tuple[int, ...]:
    """Return the cells that a person chooses to shoot at."""
    dialogue.show(chart)
    dialogue.say(sentences.fleets(chart))
    chosen: tuple[int, ...] = ()
    while True:
        answer = dialogue.ask(_shots_prompt(chart, chosen, due), _SHOOTING)
        if not answer and len(chosen) == due:
            return chosen
        try:
            chosen = _chosen_after(chart, chosen, due, answer)
        except ValueError as error:
            dialogue.say(str(error))
        if len(chosen) == due == 1:
            return chosen


def _shots_prompt(chart: Chart, chosen: tuple[int, ...], due: int) -> str:
    if due == 1:
        return "Your shot: "
    if len(chosen) == due:
        return f"Enter fires {chart.names(chosen)}, u takes the last back: "
    if chosen:
        return f"{chart.names(chosen)}, and {due - len(chosen)} more: "
    return f"Your {due} shots: "


def _chosen_after(chart: Chart, chosen: tuple[int, ...], due: int, answer: str) -> tuple[int, ...]:
    """Return the cells chosen after an answer."""
    if answer.lower() in UNDO:
        if not chosen:
            raise ValueError("No cell is chosen yet.")
        return chosen[:-1]
    cells = read_cells(chart.rules, answer)
    if not cells:
        raise ValueError(_SHOOTING)
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


_MOVING = "Type the number of a move, or nothing to leave every ship where it is."


def choose_move(chart: Chart, dialogue: Dialogue) -> Move:
    """Return the move that a person chooses."""
    assert chart.own is not None
    moves = legal_moves(chart.rules, chart.own)
    dialogue.show(chart)
    dialogue.say("You may move one undamaged ship by a cell:")
    dialogue.say(_list(chart, moves))

    def read(answer: str) -> Move:
        if not answer:
            return Move(None)
        if not answer.isdecimal() or not 1 <= int(answer) <= len(moves):
            raise ValueError(f"{answer!r} is not a move: type a number from 1 to {len(moves)}.")
        number, mask = moves[int(answer) - 1]
        return Move(chart.rules.fleet[number].name, tuple(cells_of(mask)))

    return dialogue.read("Its number, or Enter to stay: ", _MOVING, read)


def _list(chart: Chart, moves: Sequence[tuple[int, int]]) -> str:
    assert chart.own is not None
    lines: dict[str, list[str]] = {}
    for index, (number, mask) in enumerate(moves, start=1):
        shift = mask.bit_length() - chart.own.ships[number].bit_length()
        option = f"{index} {direction(shift, chart.rules.columns)}"
        lines.setdefault(chart.rules.fleet[number].name, []).append(option)
    return "\n".join(f"  {name}: {', '.join(options)}" for name, options in lines.items())


_ANSWERING = (
    "Press Enter to tell the truth, or type the cells of their salvo to lie about: a hit is then "
    "reported as a miss, a miss as a hit. You may not lie about a cell of a ship just sunk."
)


def choose_hits(
    chart: Chart, dialogue: Dialogue, request: AnswerRequest, sinkers: set[int]
) -> tuple[int, ...]:
    """Return the cells that a person says were hits.

    ``sinkers`` are the cells of the salvo that sink a ship.
    """
    lies: set[int] = set()
    if request.lies and not sinkers.issuperset(request.cells):
        times = "once" if request.lies == 1 else f"{request.lies} times"
        prompt = f"Enter for the truth, or cells to lie about ({times} more): "
        lies = dialogue.read(
            prompt, _ANSWERING, lambda answer: _read_lies(chart, request, sinkers, answer)
        )
    hits = lies.symmetric_difference(request.hits)
    return tuple(cell for cell in request.cells if cell in hits)


def _read_lies(chart: Chart, request: AnswerRequest, sinkers: set[int], answer: str) -> set[int]:
    """Return the cells to lie about that an answer names."""
    lies = set(read_cells(chart.rules, answer))
    for cell in sorted(lies):
        if cell not in request.cells:
            raise ValueError(f"{chart.name(cell)} was not shot at.")
        if cell in sinkers:
            raise ValueError(f"{chart.name(cell)} sinks a ship: you may not lie about that.")
    if len(lies) > request.lies:
        left = "one is" if request.lies == 1 else f"{request.lies} are"
        raise ValueError(f"That makes {len(lies)} lies; {left} left.")
    return lies

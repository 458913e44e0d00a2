"""Answering an incoming salvo, with the truth or a lie."""

from arena.player.person.chart import Chart
from arena.player.person.dialogue import Dialogue
from arena.player.person.shooting import read_cells
from arena.rules import AnswerRequest

_HINT = (
    "Press Enter to tell the truth, or type the cells of their salvo to lie about: a hit is then "
    "reported as a miss, a miss as a hit. You may not lie about a cell of a ship just sunk."
)


def choose_hits(
    chart: Chart, dialogue: Dialogue, request: AnswerRequest, sinkers: set[int]
) -> tuple[int, ...]:
    """Return the cells that a person says were hits.

    Args:
        chart: What the person knows.
        dialogue: Asks the person.
        request: The request.
        sinkers: The cells of the salvo that sink a ship.
    """
    lies: set[int] = set()
    if request.lies and not sinkers.issuperset(request.cells):
        times = "once" if request.lies == 1 else f"{request.lies} times"
        prompt = f"Enter for the truth, or cells to lie about ({times} more): "
        while True:
            answer = dialogue.ask(prompt, _HINT)
            try:
                lies = _read_lies(chart, request, sinkers, answer)
                break
            except ValueError as error:
                dialogue.say(str(error))
    hits = lies.symmetric_difference(request.hits)
    return tuple(cell for cell in request.cells if cell in hits)


def _read_lies(chart: Chart, request: AnswerRequest, sinkers: set[int], answer: str) -> set[int]:
    """Return the cells to lie about that an answer names.

    Raises:
        ValueError: If that is not allowed; the message says why.
    """
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

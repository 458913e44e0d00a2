"""Choosing a ship to move from a list."""

from collections.abc import Sequence

from arena.player.person.chart import Chart
from arena.player.person.dialogue import Dialogue
from arena.rules import Move, cells_of, legal_moves

_HINT = "Type the number of a move, or nothing to leave every ship where it is."


def choose_move(chart: Chart, dialogue: Dialogue) -> Move:
    """Return the move that a person chooses."""
    assert chart.own is not None
    moves = legal_moves(chart.rules, chart.own)
    dialogue.show(chart)
    dialogue.say("You may move one undamaged ship by a cell:")
    dialogue.say(_list(chart, moves))
    while True:
        answer = dialogue.ask("Its number, or Enter to stay: ", _HINT)
        if not answer:
            return Move(None)
        if answer.isdecimal() and 1 <= int(answer) <= len(moves):
            break
        dialogue.say(f"{answer!r} is not a move: type a number from 1 to {len(moves)}.")
    number, mask = moves[int(answer) - 1]
    return Move(chart.rules.fleet[number].name, tuple(cells_of(mask)))


def _list(chart: Chart, moves: Sequence[tuple[int, int]]) -> str:
    """Return the numbered moves, one line per ship."""
    assert chart.own is not None
    lines: dict[str, list[str]] = {}
    for index, (number, mask) in enumerate(moves, start=1):
        shift = mask.bit_length() - chart.own.ships[number].bit_length()
        option = f"{index} {_direction(shift, chart.rules.columns)}"
        lines.setdefault(chart.rules.fleet[number].name, []).append(option)
    return "\n".join(f"  {name}: {', '.join(options)}" for name, options in lines.items())


def _direction(shift: int, columns: int) -> str:
    """Return the direction in which a ship moves if its cells change by ``shift``."""
    if abs(shift) == columns:
        return "down" if shift > 0 else "up"
    return "right" if shift > 0 else "left"

"""A game in words: who played whom, what was fired, how it ended."""

import itertools
from collections.abc import Iterator

from arena.records import Game, Termination
from arena.replay import replay
from arena.rules import (
    CellsReport,
    CountReport,
    MoveRequest,
    Rules,
    Salvo,
    Seat,
    State,
    cell_name,
    other,
)
from salvo.reports.boards import LEGEND, draw_board

__all__ = ["describe_end", "describe_game", "describe_salvo", "game_text", "seat_names"]


def seat_names(game: Game) -> dict[Seat, str]:
    """Return who sat in each seat."""
    return {"first": game.fixture.first, "second": game.fixture.second or "the layout"}


def describe_game(game: Game, rules: Rules) -> str:
    """Return the id of a game and what it was."""
    fixture = game.fixture
    against = "a layout of the arena" if fixture.second is None else fixture.second
    number = f"{'layout' if fixture.second is None else 'pair'} {fixture.pair}"
    return f"{fixture.id}: {fixture.first} against {against}, {rules.name}, {number}"


def describe_salvo(salvo: Salvo, rules: Rules) -> str:
    """Return a salvo with what was reported of it; cells reported as hits are marked."""
    report = salvo.report
    hits = report.hits if isinstance(report, CellsReport) else ()
    text = " ".join(
        cell_name(cell, rules.columns) + ("*" if cell in hits else "") for cell in salvo.cells
    )
    if isinstance(report, CountReport):
        ships = "" if report.ships is None else f" on {', '.join(report.ships)}"
        text += f"   {report.hits} hits{ships}"
    elif report.ships:
        text += f"   on {', '.join(report.ships)}"
    if isinstance(report.sunk, int):
        return f"{text}   sinks {report.sunk}" if report.sunk else text
    return f"{text}   sinks {', '.join(report.sunk)}" if report.sunk else text


def describe_end(game: Game) -> str:
    """Return how the game ended."""
    if game.result == "draw":
        both = game.termination == Termination.SUNK
        return f"a draw: {'both fleets are sunk' if both else game.reason}"
    names = seat_names(game)
    winner = names[game.result]
    if game.forfeit is None:
        return f"{winner} wins: {game.reason}"
    loser = names[other(game.result)]
    return f"{winner} wins by forfeit ({game.termination}) of {loser}: {game.reason}"


def game_text(game: Game, rules: Rules) -> str:
    """Return a whole game: every turn, how it ended, and both sides of the board at the end."""
    states = list(replay(game, rules))
    lines = [
        f"game {describe_game(game, rules)}",
        *_turns(game, rules, states),
        describe_end(game),
        "",
        *_boards(game, rules, states[-1]),
    ]
    return "\n".join(lines)


def _turns(game: Game, rules: Rules, states: list[State]) -> Iterator[str]:
    names = seat_names(game)
    for before, after in itertools.pairwise(states):
        request, salvo = before.request, after.salvo
        if isinstance(request, MoveRequest) and before.waters != after.waters:
            yield f"     {names[request.seat]} moves a ship"
        if salvo is not None and salvo is not before.salvo:
            turn = before.turns[0 if salvo.by == "first" else 1]
            yield f"{turn:4} {names[salvo.by]}: {describe_salvo(salvo, rules)}"


def _boards(game: Game, rules: Rules, state: State) -> Iterator[str]:
    """Yield the lines of both sides next to each other, as the game left them."""
    names: dict[Seat, str | None] = {"first": game.fixture.first, "second": game.fixture.second}
    blocks = []
    for seat, name in names.items():
        waters = state.waters.of(seat)
        if waters is not None:
            title = f"{name or 'the layout of the arena'}"
            blocks.append([title, *draw_board(waters, rules.rows, rules.columns)])
    if not blocks:
        return
    wide = max(len(line) for line in blocks[0])
    for lines in zip(*blocks, strict=True):
        yield "    ".join(line.ljust(wide) for line in lines).rstrip()
    yield LEGEND

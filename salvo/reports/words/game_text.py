"""Describes a game: who played whom, what was fired, how it ended."""

import itertools
from collections.abc import Iterator, Mapping, Sequence

from arena.records import Game, Termination
from arena.replay import Played, replay
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
from arena.text import counted
from salvo.reports.words.board_text import LEGEND, cell_states, draw_board


def seat_names(game: Played) -> dict[Seat, str]:
    """Return who sat in each seat."""
    return {"first": game.fixture.first, "second": game.fixture.second or "the layout"}


def describe_game(game: Played, rules: Rules) -> str:
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
        text += f"   {_counted(report)}"
    elif report.ships:
        text += f"   on {', '.join(report.ships)}"
    if isinstance(report.sunk, int):
        return f"{text}   sinks {report.sunk}" if report.sunk else text
    return f"{text}   sinks {', '.join(report.sunk)}" if report.sunk else text


def salvo_in_words(before: State, after: State, rules: Rules, names: Mapping[Seat, str]) -> str:
    """Return what a salvo did, in whole sentences: what was hit, what sank, and what is left.

    It is told as it was; what was reported to the shooter is added where that may be less, or a
    lie.
    """
    salvo = after.salvo
    assert salvo is not None
    target = other(salvo.by)
    waters, were = after.waters.of(target), before.waters.of(target)
    assert waters is not None
    assert were is not None
    states = cell_states(waters, rules.cells)
    hits = [cell for cell in salvo.cells if states[cell] in ("hit", "sunk")]
    sunk, left = [], []
    for number, ship in enumerate(rules.fleet):
        if waters.sunk >> number & 1:
            sunk += [] if were.sunk >> number & 1 else [ship.name]
        else:
            left.append(ship.name)
    fired = _listed([cell_name(cell, rules.columns) for cell in salvo.cells])
    hit = _listed([cell_name(cell, rules.columns) for cell in hits])
    told = [f"{names[salvo.by]} shoots at {fired or 'nothing'}: {hit or 'nothing'} hit."]
    if sunk:
        are = "is" if len(left) == 1 else "are"
        what = f"{_listed(left)} {are} left" if left else "nothing is left"
        told.append(f"It sinks the {_listed(sunk)} of {names[target]}; {what}.")
    return " ".join([*told, *_reported(salvo, hits, rules)])


def report_in_words(salvo: Salvo, rules: Rules, names: Mapping[Seat, str]) -> str:
    """Return what was reported of a salvo to who fired it, in whole sentences, and no more."""
    report = salvo.report
    fired = _listed([cell_name(cell, rules.columns) for cell in salvo.cells])
    told = f"{names[salvo.by]} shoots at {fired or 'nothing'}: "
    if isinstance(report, CountReport):
        told += f"{_counted(report)}."
    else:
        hit = _listed([cell_name(cell, rules.columns) for cell in report.hits])
        told += f"{hit or 'nothing'} hit."
    if not report.sunk:
        return told
    if isinstance(report.sunk, int):
        sunk = counted(report.sunk, "ship")
    else:
        sunk = f"the {_listed(report.sunk)}"
    return f"{told} It sinks {sunk} of {names[other(salvo.by)]}."


def _reported(salvo: Salvo, hits: Sequence[int], rules: Rules) -> Iterator[str]:
    report = salvo.report
    if isinstance(report, CountReport):
        yield f"Reported: {_counted(report)}."
    elif set(report.hits) != set(hits):
        claimed = _listed([cell_name(cell, rules.columns) for cell in report.hits])
        yield f"Reported as hit: {claimed or 'nothing'}."


def _counted(report: CountReport) -> str:
    """Return how many hits were reported, and on which ships if that was."""
    told, ships = counted(report.hits, "hit"), report.ships or {}
    if len(ships) > 1:
        return f"{told}, {_listed([f'{hits} on {ship}' for ship, hits in ships.items()])}"
    return f"{told} on {next(iter(ships))}" if ships else told


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


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
    names: dict[Seat, str] = seat_names(game) | {
        "second": game.fixture.second or "the layout of the arena"
    }
    blocks = []
    for seat, title in names.items():
        waters = state.waters.of(seat)
        if waters is not None:
            blocks.append([title, *draw_board(waters, rules.rows, rules.columns)])
    if not blocks:
        return
    wide = max(len(line) for line in blocks[0])
    for lines in zip(*blocks, strict=True):
        yield "    ".join(line.ljust(wide) for line in lines).rstrip()
    yield f"{LEGEND}   * hit of the salvo"

"""Puts rules, salvos and results into words for a person."""

from collections.abc import Iterator, Sequence

from arena.player.person.chart import Chart
from arena.protocol import End
from arena.records import Termination
from arena.rules import CellsReport, CountReport, Report, Rules, Ship, row_name
from arena.rules.firing import Volley
from arena.text import counted

_NAMED_SHIPS = 6
"""The largest fleet that is listed by name; of a larger one only the lengths are listed."""


def _ships(fleet: Sequence[Ship]) -> str:
    if len(fleet) > _NAMED_SHIPS:
        return f"ships of {', '.join(str(ship.length) for ship in fleet)}"
    return ", ".join(f"{ship.name} {ship.length}" for ship in fleet)


def _joined(names: Sequence[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


def fired(chart: Chart, report: Report) -> str:
    """Return what the person's last salvo did, as reported."""
    cells = chart.salvo
    done = _told(chart, cells, report) if isinstance(report, CellsReport) else _hits_counted(report)
    return f"You shoot {chart.names(cells)}: {done}.{_sunk(report)}"


def _told(chart: Chart, cells: Sequence[int], report: CellsReport) -> str:
    who = "they say it is " if chart.rules.lies else ""
    if len(cells) == 1:
        on = f" on their {report.ships[0]}" if report.ships else ""
        return f"{who}a hit{on}" if report.hits else f"{who}a miss"
    if not report.hits:
        return "they say all miss" if chart.rules.lies else "all miss"
    hits = f"{'they say ' if chart.rules.lies else ''}{counted(len(report.hits), 'hit')}"
    names = [chart.name(cell) for cell in report.hits]
    if report.ships:
        names = [f"{name} on their {ship}" for name, ship in zip(names, report.ships, strict=True)]
    return f"{hits}, at {_joined(names)}"


def _hits_counted(report: CountReport) -> str:
    total = counted(report.hits, "hit")
    if not report.ships:
        return total
    return f"{total}: {', '.join(f'{hits} on their {name}' for name, hits in report.ships.items())}"


def _sunk(report: Report) -> str:
    match report.sunk:
        case None | 0 | ():
            return ""
        case int(number):
            return " You sink a ship." if number == 1 else f" You sink {number} ships."
        case names:
            return f" You sink their {_joined(names)}."


def suffered(chart: Chart, cells: Sequence[int], ships: dict[int, str], volley: Volley) -> str:
    """Return what an incoming salvo did.

    ``ships`` has the ship at each cell that it hit.
    """
    hits = [f"{chart.name(cell)} hits your {name}" for cell, name in ships.items()]
    missed = len(cells) - len(hits)
    if len(cells) == 1:
        done = f"it hits your {next(iter(ships.values()))}" if hits else "a miss"
    elif not hits:
        done = "all miss"
    else:
        done = ", ".join([*hits, *([f"{missed} miss"] if missed else [])])
    lost = f" They sink your {_joined(volley.sunk)}." if volley.sunk else ""
    return f"They shoot {chart.names(cells)}: {done}.{lost}"


def fleets(chart: Chart) -> str:
    """Return which ships are afloat, as far as the person knows."""
    limit = chart.rules.turn_limit
    turn = f"Turn {chart.turn}." if limit is None else f"Turn {chart.turn} of {limit}."
    if chart.own is None:  # alone
        return f"{turn}\n{_theirs(chart)}"
    own = [ship for ship in chart.rules.fleet if ship.name not in chart.lost]
    return f"{turn}\nYours afloat: {_ships(own) or 'none'}.\n{_theirs(chart)}"


def _theirs(chart: Chart) -> str:
    rules = chart.rules
    if not rules.fleet_known:
        sunk = "" if rules.sinkings == "silent" else f" You sank {chart.sunk_count} so far."
        return f"Their fleet is unknown.{sunk}"
    if rules.sinkings == "named":
        left = [ship for ship in rules.fleet if ship.name not in chart.sunk]
        return f"Theirs afloat: {_ships(left) or 'none'}."
    sunk = (
        "sinkings are not reported"
        if rules.sinkings == "silent"
        else (f"you sank {chart.sunk_count} of {len(rules.fleet)}")
    )
    return f"Theirs: {_ships(rules.fleet)}; {sunk}."


def outcome(chart: Chart, end: End) -> str:
    """Return how the game ended."""
    verb = {"won": "You win", "lost": "You lose", "drawn": "A draw"}[end.result]
    match end.termination:
        case Termination.SUNK if end.result == "won":
            return f"{verb}: you sank the whole fleet."
        case Termination.SUNK if end.result == "lost":
            return f"{verb}: your whole fleet is sunk."
        case Termination.SUNK:
            return f"{verb}: both fleets are sunk."
        case Termination.TURN_LIMIT:
            # If sinkings are silent, the person does not know how many ships it sank even now.
            sunk = "" if chart.rules.sinkings == "silent" else f"you sank {chart.sunk_count} and "
            return f"{verb}: the turns are used up; {sunk}they sank {len(chart.lost)} ships."
        case _:
            return f"{verb}: they forfeit ({end.termination}: {end.reason})."


def guide(rules: Rules) -> str:
    """Return the rules of a game in plain words, and the commands that always work."""
    return " ".join(_sentences(rules))


def _sentences(rules: Rules) -> Iterator[str]:
    last = row_name(rules.rows - 1)
    rows = "row A" if rules.rows == 1 else f"rows A to {last}"
    yield f"The board has {rows} and columns 1 to {rules.columns}; a cell is called {last}2."
    known = "" if rules.fleet_known else "; theirs you do not know"
    yield f"Your fleet: {_ships(rules.fleet)}{known}."
    yield (
        f"{counted(rules.shots, 'shot')} a turn."
        if isinstance(rules.shots, int)
        else _SHOTS[rules.shots]
    )
    if rules.again:
        yield "A hit gives another shot."
    yield _TOLD[rules.told]
    if rules.hits_named:
        yield "A hit names the ship."
    yield _SINKINGS[rules.sinkings]
    if rules.sunk_cells:
        yield "Where a ship lay is reported when it sinks."
    if rules.touching != "allowed":
        yield _TOUCHING[rules.touching]
    if rules.moves:
        yield "After a turn, an undamaged ship may move one cell along its axis."
    if rules.reshoot:
        yield "A cell may be shot again."
    if rules.lies:
        yield f"Each side may lie {counted(rules.lies, 'time')} about a cell, never a sinking."
    if rules.end == "equal-turns":
        yield "Both sides get equally many turns, so there are draws."
    if rules.turn_limit is not None:
        yield f"After {rules.turn_limit} turns each, who sank more ships wins."
    yield "At any time: ? helps, q leaves the game."


_SHOTS = {
    "afloat": "Each turn you get as many shots as you have ships afloat.",
    "by-ship": "Each turn you get the shots of your ships afloat.",
}
_TOLD = {
    "cells": "Each shot is reported as a hit or a miss.",
    "count": "Only the number of hits of a turn is reported.",
    "count-by-ship": "The number of hits on each ship is reported, not which shots they were.",
}
_SINKINGS = {
    "named": "Sunk ships are named.",
    "unnamed": "You learn when a ship is sunk, but not which.",
    "silent": "Sinkings are not reported.",
}
_TOUCHING = {
    "corners": "Ships may touch at corners only.",
    "never": "Ships may not touch, not even at corners.",
}


def direction(shift: int, columns: int) -> str:
    """Return where a ship goes that moves by so many cells."""
    if abs(shift) == columns:
        return "down" if shift > 0 else "up"
    return "right" if shift > 0 else "left"

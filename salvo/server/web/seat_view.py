"""Shows a game to the person who plays it: what that seat knows, and nothing else."""

from random import Random
from typing import Any

from msgspec import Struct

from arena.player.person import Sight
from arena.protocol import End
from arena.records import Game
from arena.rules import (
    AnswerRequest,
    MoveRequest,
    PlaceRequest,
    Request,
    Rules,
    ShootRequest,
    cells_of,
    draw,
    name_layout,
    other,
)
from salvo.reports.words.board_text import CellState, cell_states
from salvo.server.database.human_games import HumanGame, State
from salvo.server.kept_games import sight_of

_LETTERS: dict[CellState, str] = {"water": "w", "ship": "s", "miss": "m", "hit": "h", "sunk": "x"}
_TOLD = {"hit": "h", "miss": "m", "untold": "u"}
_SHOWN = 6  # of what happened, the last


class View(Struct):
    """A game as its person sees it.

    Attributes:
        number: What grows with everything that happens in it.
        own: A letter for each cell of the own side: w water, s ship, m miss, h hit, x sunk.
        theirs: The same of the other side; u is shot without an answer for it.
        fresh: The cells of the own side that were shot last.
        fired: The cells that the person shot last.
        asked: What the person is to do: its kind, and what belongs to it; None while the bot is to.
        told: What happened last, in sentences.
        fleets: Which ships are afloat, as far as the person knows.
        outcome: How it ended; empty until then.
    """

    id: str
    number: int
    state: State
    bot: str
    own: str
    theirs: str
    fresh: list[int]
    fired: list[int]
    asked: dict[str, Any] | None
    told: list[str]
    fleets: list[str]
    outcome: str


def view_of(game: HumanGame, rules: Rules) -> View:
    """Return a game as the page shows it to its person."""
    sight = sight_of(game, rules)
    outcome = game.reason if game.game is None else sight.outcome(_end(game.game, game, rules))
    chart = sight.chart
    own = "" if chart.own is None else _letters(cell_states(chart.own, rules.cells))
    request = sight.state.request
    is_due = game.state == "open" and request is not None and request.seat == game.seat
    return View(
        id=game.id,
        number=game.number,
        state=game.state,
        bot=game.bot,
        own=own,
        theirs=_theirs(sight, rules),
        fresh=sorted(chart.fresh),
        fired=list(chart.salvo),
        asked=_asked(sight, request) if is_due and request is not None else None,
        told=sight.told[-_SHOWN:],
        fleets=sight.fleets().split("\n"),
        outcome=outcome,
    )


def _letters(states: list[CellState]) -> str:
    return "".join(_LETTERS[state] for state in states)


def _theirs(sight: Sight, rules: Rules) -> str:
    ships = 0
    for mask in sight.chart.revealed:
        ships |= mask
    return "".join(
        _TOLD[sight.chart.marks[cell]]
        if cell in sight.chart.marks
        else "s"
        if ships >> cell & 1
        else "w"
        for cell in range(rules.cells)
    )


def _asked(sight: Sight, request: Request) -> dict[str, Any]:
    match request:
        case PlaceRequest():
            return {"kind": "place"}
        case ShootRequest(shots=shots):
            return {"kind": "shoot", "shots": shots}
        case MoveRequest():
            moves = [dict(zip(("ship", "way", "cells"), one, strict=True)) for one in sight.moves()]
            own = sight.chart.own
            assert own is not None
            named = zip(sight.chart.rules.fleet, own.ships, strict=True)
            movable = {str(move["ship"]) for move in moves}
            ships = {one.name: list(cells_of(at)) for one, at in named if one.name in movable}
            return {"kind": "move", "moves": moves, "ships": ships}
        case AnswerRequest(cells=cells, hits=hits, lies=lies):
            return {"kind": "answer", "cells": cells, "hits": hits, "lies": lies}


def _end(record: Game, game: HumanGame, rules: Rules) -> End:
    layout = record.layouts.get(other(game.seat)) if rules.fleet_known else None
    return End(
        result="drawn"
        if record.result == "draw"
        else "won"
        if record.result == game.seat
        else "lost",
        termination=record.termination,
        reason=record.reason,
        report=None,
        incoming=(),
        opponent_layout=None
        if layout is None
        else {name: tuple(cells) for name, cells in layout.items()},
    )


def random_layout(rules: Rules) -> dict[str, list[int]]:
    """Return a layout as the arena would draw it."""
    return {name: list(cells) for name, cells in name_layout(rules, draw(rules, Random())).items()}

"""`salvo replay GAME`: a recorded game, played again through the rules."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from arena.cli.boards import LEGEND, draw_board
from arena.cli.options import db_option
from arena.records import Game
from arena.replay import replay as replay_game
from arena.rules import (
    CellsReport,
    CountReport,
    MoveRequest,
    Rules,
    Salvo,
    Seat,
    State,
    cell_name,
)
from arena.store import Store

__all__ = ["replay"]


@click.command()
@click.argument("game_id", metavar="GAME")
@db_option
@click.option("--format", "format_", type=click.Choice(["table", "json"]), default="table")
def replay(*, game_id: str, db: Path, format_: str) -> None:
    """Show a recorded game turn by turn; GAME is the beginning of its id (`salvo games`)."""
    with Store(db, create=False) as store:
        game, rules = store.game(game_id)
    if format_ == "json":
        click.echo(msgspec.json.encode({"rules": rules, "game": game}))
        return
    states = list(replay_game(game, rules))
    for line in itertools.chain(_head(game, rules), _turns(game, rules, states), _foot(game)):
        click.echo(line)
    click.echo()
    for line in _boards(game, rules, states[-1]):
        click.echo(line)


def _head(game: Game, rules: Rules) -> Iterator[str]:
    fixture = game.fixture
    against = "a layout of the arena" if fixture.second is None else fixture.second
    number = f"{'layout' if fixture.second is None else 'pair'} {fixture.pair}"
    yield f"game {fixture.id}: {fixture.first} against {against}, {rules.name}, {number}"


def _turns(game: Game, rules: Rules, states: list[State]) -> Iterator[str]:
    names = {"first": game.fixture.first, "second": game.fixture.second or "the layout"}
    for before, after in itertools.pairwise(states):
        request, salvo = before.request, after.salvo
        if isinstance(request, MoveRequest) and before.waters != after.waters:
            yield f"     {names[request.seat]} moves a ship"
        if salvo is not None and salvo is not before.salvo:
            turn = before.turns[0 if salvo.by == "first" else 1]
            yield f"{turn:4} {names[salvo.by]}: {_told(salvo, rules)}"


def _told(salvo: Salvo, rules: Rules) -> str:
    """Return a salvo with what was told of it; cells told as hits are marked."""
    report = salvo.report
    hits = report.hits if isinstance(report, CellsReport) else ()
    text = " ".join(
        cell_name(cell, rules.columns) + ("*" if cell in hits else "") for cell in salvo.cells
    )
    if isinstance(report, CountReport):
        ships = "" if report.ships is None else f" on {', '.join(report.ships)}"
        text += f"   {report.hits} hits{ships}"
    if isinstance(report.sunk, int):
        return f"{text}   sinks {report.sunk}" if report.sunk else text
    return f"{text}   sinks {', '.join(report.sunk)}" if report.sunk else text


def _foot(game: Game) -> Iterator[str]:
    winner = {"first": game.fixture.first, "second": game.fixture.second, "draw": "nobody"}
    name = winner[game.result] or "the layout"
    yield f"{name} wins by {game.termination}: {game.reason}"


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

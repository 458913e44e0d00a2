"""`salvo replay GAME`: a recorded game, played again through the rules."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from arena.errors import UserError
from arena.records import Game
from arena.replay import replay as replay_game
from arena.rules import MoveRequest, Rules, Seat, State
from arena.store import Store
from leaderboards import report
from salvo.cli.options import db_option, to_write
from salvo.cli.output import write_page
from salvo.reports.boards import LEGEND, draw_board
from salvo.reports.game_text import seat_names, tell_end, tell_game, tell_salvo
from salvo.reports.posteriors import FULL_EFFORT, why_no_posterior
from salvo.reports.replay_section import replay_section

__all__ = ["replay"]

_PAGE = Path("salvo-replay.html")


@click.command()
@click.argument("game_id", metavar="GAME")
@db_option
@click.option("--format", "format_", type=click.Choice(["table", "json"]), default="table")
@click.option(
    "--posterior", is_flag=True, help="Write a page besides: boards and posterior, with a slider."
)
@click.option(
    "--html",
    "html_path",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=to_write,
    help=f"The HTML file that --posterior writes.  [default: {_PAGE}]",
)
def replay(
    *, game_id: str, db: Path, format_: str, posterior: bool, html_path: Path | None
) -> None:
    """Show a recorded game turn by turn; GAME is the beginning of its id (`salvo games`)."""
    if html_path is not None and not posterior:
        raise UserError(f"--html {html_path}: the page is of the posterior; add --posterior")
    with Store(db, create=False) as store:
        game, rules = store.game(game_id)
    _show(game, rules, format_)
    if posterior:
        _write_page(game, rules, html_path or _PAGE)


def _show(game: Game, rules: Rules, format_: str) -> None:
    if format_ == "json":
        click.echo(msgspec.json.encode({"rules": rules, "game": game}))
        return
    states = list(replay_game(game, rules))
    for line in [f"game {tell_game(game, rules)}", *_turns(game, rules, states), tell_end(game)]:
        click.echo(line)
    click.echo()
    for line in _boards(game, rules, states[-1]):
        click.echo(line)


def _write_page(game: Game, rules: Rules, path: Path) -> None:
    """Write the game as one HTML file, and say so."""
    section = replay_section(game, rules, FULL_EFFORT)
    names = seat_names(game)
    page = report.html(
        title=f"Salvo game: {names['first']} against {names['second']}, rules {rules.name}",
        about=f"Game {game.fixture.id}",
        further=[section],
    )
    write_page(page, path, "--html")
    why = why_no_posterior(rules)
    click.echo(f"salvo: {path} shows it{'' if why is None else f'. {why}'}", err=True)


def _turns(game: Game, rules: Rules, states: list[State]) -> Iterator[str]:
    names = seat_names(game)
    for before, after in itertools.pairwise(states):
        request, salvo = before.request, after.salvo
        if isinstance(request, MoveRequest) and before.waters != after.waters:
            yield f"     {names[request.seat]} moves a ship"
        if salvo is not None and salvo is not before.salvo:
            turn = before.turns[0 if salvo.by == "first" else 1]
            yield f"{turn:4} {names[salvo.by]}: {tell_salvo(salvo, rules)}"


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

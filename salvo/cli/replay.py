"""`salvo replay GAME`: shows a recorded game, played again through the rules."""

from collections.abc import Mapping
from pathlib import Path

import click
import msgspec

from arena.errors import UserError, not_installed
from arena.records import Game
from arena.rules import Rules
from arena.store import Store
from salvo.cli.options.completing import complete_games
from salvo.cli.options.option_types import FILE
from salvo.cli.options.output_options import table_or_json_option, to_write
from salvo.cli.options.record_options import db_option
from salvo.cli.terminal.output import write_page
from salvo.cli.terminal.progress_bars import progress_bar
from salvo.reports.words.stderr_text import stderr_lines

_PAGE = Path("salvo-replay.html")
_PILLOW = "pillow"


@click.command()
@click.argument("game_id", metavar="GAME", shell_complete=complete_games)
@db_option
@table_or_json_option
@click.option(
    "--posterior", is_flag=True, help="Also write a page: boards and posterior, with a slider."
)
@click.option(
    "--html",
    "html_path",
    type=FILE,
    callback=to_write,
    help=f"The HTML file that --posterior writes.  [default: {_PAGE}]",
)
@click.option(
    "--stderr",
    "of_stderr",
    is_flag=True,
    help="Show instead what the bot that forfeited it had written to stderr.",
)
@click.option(
    "--svg",
    "svg_path",
    type=FILE,
    callback=to_write,
    help="Write the game as an animated SVG, for a slide; with --posterior, that too.",
)
@click.option(
    "--gif",
    "gif_path",
    type=FILE,
    callback=to_write,
    help="Write the game as an animated GIF; with --posterior, that too.",
)
@click.option(
    "--png",
    "png_path",
    type=FILE,
    callback=to_write,
    help="Write how the game ended as a PNG; with --posterior, that too.",
)
def replay(  # noqa: PLR0913 - one parameter an option
    *,
    game_id: str,
    db: Path,
    format_: str,
    posterior: bool,
    html_path: Path | None,
    of_stderr: bool,
    svg_path: Path | None,
    gif_path: Path | None,
    png_path: Path | None,
) -> None:
    """Show a recorded game turn by turn; GAME is the beginning of its id (`salvo games`)."""
    if html_path is not None and not posterior:
        raise UserError(f"--html {html_path}: only --posterior writes a page; add --posterior")
    with Store(db, create=False) as store:
        game, rules = store.game(game_id)
    if of_stderr:
        _show_stderr(game)
        return
    try:
        _show(game, rules, format_)
    finally:  # also where the reader of the text has closed it, as in `salvo replay GAME | head`
        if svg_path is not None:
            _write_animation(game, rules, svg_path, posterior=posterior)
        drawings = {"--gif": gif_path, "--png": png_path}
        wanted = {option: path for option, path in drawings.items() if path is not None}
        if wanted:
            _write_drawings(game, rules, wanted, posterior=posterior)
        if html_path is not None or (posterior and svg_path is None and not wanted):
            _write_page(game, rules, html_path or _PAGE)


def _show_stderr(game: Game) -> None:
    """Print what the bot that forfeited a game had written to stderr."""
    from salvo.reports.words.game_text import seat_names

    if game.forfeit is None:
        raise UserError(
            f"--stderr: nobody forfeited game {game.fixture.id}, and only then the end of stderr "
            "is recorded; --log keeps all of it while games are played"
        )
    lines = stderr_lines(game.stderr)
    if not lines:
        loser = seat_names(game)[game.forfeit]
        click.echo(f"salvo: the record has nothing that {loser} wrote to stderr", err=True)
    for line in lines:
        click.echo(line)


def _show(game: Game, rules: Rules, format_: str) -> None:
    from salvo.reports.words.game_text import game_text

    if format_ == "json":
        click.echo(msgspec.json.encode({"rules": rules, "game": game}))
        return
    click.echo(game_text(game, rules))


def _write_page(game: Game, rules: Rules, path: Path) -> None:
    from salvo.reports.pages.game_replay import replay_page
    from salvo.reports.pages.posteriors import why_no_posterior

    page = replay_page(game, rules, progress_bar)
    write_page(page, path, "--html")
    why = why_no_posterior(rules)
    click.echo(f"salvo: {path} shows it{'' if why is None else f'. {why}'}", err=True)


def _write_animation(game: Game, rules: Rules, path: Path, *, posterior: bool) -> None:
    from salvo.reports.pages.game_replay import game_animation

    animation = game_animation(game, rules, posterior=posterior, progress=progress_bar)
    if animation is None:
        raise UserError(f"--svg {path}: no salvo was fired in game {game.fixture.id}")
    write_page(animation, path, "--svg")
    click.echo(f"salvo: {path} plays it: put it on a slide, or open it in a browser", err=True)


def _write_drawings(
    game: Game, rules: Rules, paths: Mapping[str, Path], *, posterior: bool
) -> None:
    from salvo.reports.pages.game_replay import game_drawing

    for option, path in paths.items():
        kind = option.removeprefix("--")
        try:
            drawn = game_drawing(game, rules, kind, posterior=posterior, progress=progress_bar)
        except ModuleNotFoundError as error:
            raise UserError(f"{option}: {not_installed(_PILLOW, 'draw')}") from error
        if drawn is None:
            raise UserError(f"{option} {path}: no salvo was fired in game {game.fixture.id}")
        write_page(drawn, path, option)
        click.echo(f"salvo: {path} shows it", err=True)

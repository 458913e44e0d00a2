"""`salvo play`: lets a person at the terminal play against a bot."""

from collections.abc import Sequence
from pathlib import Path

import click

from arena.entrants import NAME, Entrant, Terms, parse_entrant, refuse_unasked, same_name
from arena.errors import BotError, UserError
from arena.human_game import SETTINGS, GameOptions, enter_person, next_game, play_human_game
from arena.isolation import Choice
from arena.player import Fault, LogFiles, Player
from arena.player.person import Person
from arena.records import BlockRecord, Termination
from arena.rules import PRESETS, Rules, Seat, preset
from arena.store import Store, Tournament
from arena.tournament import connect, copied, introduce, refuse_readers
from salvo.bundled import bundled_bots
from salvo.cli.options.bot_arguments import bot_argument
from salvo.cli.options.bot_terms import terms_options
from salvo.cli.options.option_types import FiniteRange, WholeRange
from salvo.cli.options.output_options import log_option
from salvo.cli.options.record_options import DEFAULT_DB, db_option
from salvo.cli.options.run_options import choose_level, isolation_option, rules_option
from salvo.cli.runs.browser_game import play_in_browser, refuse_in_browser
from salvo.cli.terminal.console import Console

_OPPONENTS = ("hunt_parity", "hunt_target", "uniform_random")
"""Bots of middling strength; the first that plays the rules is the default opponent."""
_GUEST = "guest"
_STAKES = "This game is rated: if you leave, you lose. Leave?"


@click.command()
@bot_argument("bot", required=False, metavar="[BOT]")
@rules_option
@click.option(
    "--seed",
    type=WholeRange(min=0),
    help="Seed of the game; by default it is drawn at random.",
)
@db_option
@isolation_option
@click.option("--name", default=_GUEST, show_default=True, help="Your name in the record.")
@click.option("--rated", is_flag=True, help="Rate the game under your name.")
@click.option(
    "--first", is_flag=True, help="Shoot first; by default the seats change from game to game."
)
@click.option("--second", is_flag=True, help="Shoot second.")
@click.option(
    "--clock",
    type=FiniteRange(min=1, max=86_400),
    metavar="SECONDS",
    help="Seconds for all your answers in the game; by default there is no limit.",
)
@click.option("--browser", is_flag=True, help="Play on a page in your browser.")
@log_option
@terms_options
def play(  # noqa: PLR0913 - one parameter an option
    *,
    bot: str | None,
    rules: Rules,
    seed: int | None,
    db: Path,
    isolation: str,
    name: str,
    rated: bool,
    first: bool,
    second: bool,
    clock: float | None,
    browser: bool,
    logs: Path | None,
    terms: Terms,
) -> None:
    """Play against BOT yourself; by default a bundled one of middling strength.

    Cells are typed as B7; ? helps at any time, and q leaves. The game is recorded like any other
    (`salvo replay` shows it), unless it is unrated and you leave it.
    """
    if first and second:
        raise UserError("--first and --second: you have one seat; give only one of them")
    if browser:
        limited = {"--clock": clock is not None, "--log": logs is not None}
        chosen = {"--seed": seed is not None, "--first": first, "--second": second}
        refuse_in_browser(bot, limited | chosen | {"--rated": rated})
    seat: Seat | None = "first" if first else "second" if second else None
    choice = choose_level(isolation)
    bots = [
        parse_entrant(one, bundled_bots(), terms) for one in (_OPPONENTS if bot is None else [bot])
    ]
    refuse_unasked(terms.secrets, {one.name: one.program.secrets for one in bots})
    opponent = _opponent(bots, rules, choice, logs)
    refuse_readers([opponent], choice.level, {"--log": logs})
    person = _enter_person(name, opponent, rated=rated)
    if browser:
        with Store(db, create=True) as store:  # what could not be recorded is not begun
            next_game(store, rules, (person, opponent), GameOptions())
        play_in_browser(
            bot or opponent.name,
            opponent.name,
            rules,
            terms,
            isolation=isolation,
            db=db,
            person=name,
        )
        return
    with Store(db, create=True) as store:
        options = GameOptions(rated, seat, seed)
        entered, block = next_game(store, rules, (person, opponent), options)
        files = None if logs is None else LogFiles(logs, f"{block.fixtures[0].id}-{opponent.name}")
        with copied([opponent], choice.level) as copies, Console() as console:
            console.say(f"{name} against {opponent.name}, {rules.name}")
            players: dict[str, Player] = {
                entered.entrants[0].name: Person(rules, console, clock, _STAKES * rated),
                entered.entrants[1].name: connect(
                    copies.bots[opponent.name], rules, SETTINGS, choice.level, files
                ),
            }
            record = play_human_game(block, rules, players, choice)
        _close(store, entered, record, db, rated=rated)


def _enter_person(name: str, opponent: Entrant, *, rated: bool) -> Entrant:
    if rated and name == _GUEST:
        raise UserError("--rated: a rated game needs your name; give it with --name")
    if not NAME.fullmatch(name):
        raise UserError(
            f"--name {name!a}: tables cannot show that name; use ASCII letters and digits"
        )
    if same_name(opponent.name, name):
        raise UserError(f"--name {name}: the bot has the same name; choose another")
    return enter_person(name)


def _opponent(bots: Sequence[Entrant], rules: Rules, choice: Choice, logs: Path | None) -> Entrant:
    """Return the first bot that plays the rules."""
    from salvo.playing.entering import introduction_logs

    refused = []
    for opponent in bots:
        try:
            files = introduction_logs(logs, opponent)
            with copied([opponent], choice.level) as copies:
                bot = copies.bots[opponent.name]
                told = introduce(connect(bot, rules, SETTINGS, choice.level, files))
        except Fault as fault:
            raise BotError(f"{opponent.name}: {fault.reason}") from fault
        if told.plays:
            return opponent
        refused.append(opponent.name)
    known = rules.name in PRESETS and rules == preset(rules.name)
    command = (
        f"`salvo bots --rules {rules.name}`" if known else "`salvo bots` with the same --rules"
    )
    raise BotError(
        f"{' or '.join(refused)} does not play {rules.name}; {command} lists those that do"
    )


def _close(
    store: Store, entered: Tournament, record: BlockRecord, db: Path, *, rated: bool
) -> None:
    """Record the game, and say how to see it."""
    [game] = record.games
    person = entered.entrants[0].name
    seat = "first" if game.fixture.first == person else "second"
    left = game.forfeit == seat and game.termination is Termination.EXITED
    if left and not rated:
        click.echo("You left the game, and it is not recorded. Until next time!")
        return
    store.extend(entered)
    store.add(entered, record)
    if game.forfeit == seat:
        click.echo(f"You {game.reason}, and so you lose.")
    where = "" if db == DEFAULT_DB else f" --db {db}"
    click.echo(f"`salvo replay {game.fixture.id[:8]}{where}` shows the game.")
    if rated:
        from leaderboards import rate
        from salvo.reports.tables.game_tables import game_table, two_player_games
        from salvo.reports.words.confidence import describe_rank

        click.echo(describe_rank(rate(two_player_games(game_table(store, entered.name))), person))
        click.echo(f"`salvo standings --tournament {entered.name}{where}` shows the others.")

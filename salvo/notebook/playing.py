"""Plays tournaments, matches and searches from a notebook or a script."""

import os

import pandas as pd

from arena.entrants import Terms
from arena.errors import BotError, UserError
from arena.isolation import AUTO
from arena.records import Settings
from arena.seeds import DEFAULT_SEED
from salvo.conditions import FARTHEST_TESTED_ELO, MOST_TESTED_GAMES
from salvo.notebook.record import Record
from salvo.notebook.running import FollowProgress, RulesLike, Run, refuse_below
from salvo.notebook.wording import errors_in_python
from salvo.playing.entering import BotLike
from salvo.reports.tables.bot_table import bot_table
from salvo.reports.tables.luck_adjustment import why_not_adjusted
from salvo.rule_files import read_rules


@errors_in_python()
def bots(rules: RulesLike = "salvo") -> pd.DataFrame:
    """Return the bundled bots, one a row: whether each plays the rules, and its idea.

    Raises:
        arena.errors.RulesError: If they name no rules.
    """
    told = bot_table(read_rules(rules))
    table = pd.DataFrame(told.rows, columns=list(told.columns))
    flags = [column for column in told.columns if table[column].isin(["yes", "no"]).any()]
    return table.assign(**{flag: table[flag] == "yes" for flag in flags})


@errors_in_python()
def play(  # noqa: PLR0913 - one argument an option of `salvo tournament`
    *bots: BotLike,
    gauntlet: BotLike | None = None,
    rules: RulesLike = "salvo",
    games: int = 200,
    layouts: int = 500,
    common_layouts: bool = False,
    seed: int = DEFAULT_SEED,
    workers: int | None = None,
    isolation: str = AUTO,
    settings: Settings = Settings(),
    terms: Terms = Terms(),
    db: str | os.PathLike[str] | None = None,
    tournament: str | None = None,
    progress: FollowProgress | None = None,
) -> Record:
    """Play every bot against every other and alone, and return the record; see `salvo tournament`.

    A class of bots plays in this process, one block after another, and is trusted with all that
    this process can do; the record says so. All others play in processes of their own. What else
    the user should know, such as forfeits, is a ``UserWarning``.

    Interrupted once, it finishes the games in play; interrupted twice, it stops at once. What was
    played is kept in both cases, and the message says how to go on.

    Args:
        bots: What plays: bundled names, paths, commands, or classes of bots. Without any, the
            default field plays.
        gauntlet: This bot meets every other, and they meet nobody else.
        rules: A preset, a TOML file, or the rules themselves.
        games: Games per pairing, an even number; 0 for none.
        layouts: Solo games per bot, each on a layout of its own.
        common_layouts: Whether all bots search the same layouts, which tells bots that play alike
            apart in fewer games. One can then pass another what it saw: only for bots you trust.
        seed: The seed of all randomness.
        workers: How many blocks are played in parallel; by default one per core. Classes of bots
            play in this process, and so with one.
        isolation: How isolated the others run: "none", "limits", "lite", "sandbox" or "auto".
        settings: The time that bots have, such as ``salvo.Settings(move_s=5)``.
        terms: What the TOML of a bot may ask for, and what every bot may read.
        db: The record; by default a temporary one, which is gone with what this returns. Played
            again into the same record, only what it lacks is played.
        tournament: Its name in the record; by default it has one of its own.
        progress: Called after each block with the games done, and how many there are; by default
            a bar shows them, in a notebook or at a terminal.

    Raises:
        arena.errors.UserError: If something that was asked for is impossible; the message says
            what, and how to fix it.
    """
    run = Run(
        rules, seed, workers, isolation, settings, terms, db, tournament, progress, common_layouts
    )
    _refuse_odd(games)
    refuse_below("layouts", layouts, 0)
    entered = run.enter(bots, gauntlet)
    if len(entered.entrants) == 1 and games:
        raise BotError(
            f"only {entered.entrants[0].name} is entered; two-player games need two bots, and "
            "salvo.solo plays one alone"
        )
    return run.play("tournament" if games else "solo", entered, games=games, layouts=layouts)


@errors_in_python()
def match(  # noqa: PLR0913 - one argument an option of `salvo match`
    first: BotLike,
    second: BotLike,
    *,
    games: int | None = None,
    sprt: tuple[float, float] | None = None,
    rules: RulesLike = "salvo",
    seed: int = DEFAULT_SEED,
    workers: int | None = None,
    isolation: str = AUTO,
    settings: Settings = Settings(),
    terms: Terms = Terms(),
    db: str | os.PathLike[str] | None = None,
    tournament: str | None = None,
    progress: FollowProgress | None = None,
) -> Record:
    """Play two bots against each other, and return the record, which says which is better.

    Args:
        first: A bot, as for ``salvo.play``.
        second: Its opponent.
        games: How many games, an even number; 200 by default, and with a test at most 20,000.
        sprt: Play until a sequential test accepts one of these leads of the first bot, in Elo:
            (0, 20) asks whether it is no better, or better by 20.
        rules: This and what follows are as for ``salvo.play``.

    Raises:
        arena.errors.UserError: If something that was asked for is impossible.
    """
    run = Run(rules, seed, workers, isolation, settings, terms, db, tournament, progress)
    if games is None:
        games = 200 if sprt is None else MOST_TESTED_GAMES
    refuse_below("games", games, 2)
    _refuse_odd(games)
    if sprt is not None:
        _refuse_leads(*sprt)
    entered = run.enter([first, second])
    if len(entered.entrants) == 1:
        raise BotError(f"only {entered.entrants[0].name} plays the rules; a match needs two bots")
    return run.play("match", entered, games=games, layouts=0, sprt=sprt)


@errors_in_python()
def solo(  # noqa: PLR0913 - one argument an option of `salvo solo`
    *bots: BotLike,
    layouts: int = 500,
    common_layouts: bool = False,
    adjusted: bool = False,
    rules: RulesLike = "salvo",
    seed: int = DEFAULT_SEED,
    workers: int | None = None,
    isolation: str = AUTO,
    settings: Settings = Settings(),
    terms: Terms = Terms(),
    db: str | os.PathLike[str] | None = None,
    tournament: str | None = None,
    progress: FollowProgress | None = None,
) -> Record:
    """Let each bot shoot alone at layouts of its own, and return the record.

    Args:
        bots: What plays, as for ``salvo.play``.
        layouts: On how many layouts.
        common_layouts: Whether these are the same for all bots; see ``salvo.play``.
        adjusted: Whether means are adjusted for luck: as if far more games had been played.
        rules: This and what follows are as for ``salvo.play``.

    Raises:
        arena.errors.UserError: If something that was asked for is impossible.
    """
    run = Run(
        rules, seed, workers, isolation, settings, terms, db, tournament, progress, common_layouts
    )
    refuse_below("layouts", layouts, 1)
    if adjusted and (why := why_not_adjusted(read_rules(rules))) is not None:
        raise UserError(f"adjusted=True: {why.removesuffix('.')}; leave it out")
    return run.play("solo", run.enter(bots), games=0, layouts=layouts, adjusted=adjusted)


def _refuse_odd(games: int) -> None:
    if games < 0 or games % 2:
        raise UserError(
            f"games is {games}: games come in pairs with the seats swapped; ask for an even number"
        )


def _refuse_leads(elo0: float, elo1: float) -> None:
    if not -FARTHEST_TESTED_ELO <= elo0 < elo1 <= FARTHEST_TESTED_ELO:
        raise UserError(
            f"sprt is ({elo0:g}, {elo1:g}): give two leads in Elo, the smaller first, between "
            f"-{FARTHEST_TESTED_ELO} and {FARTHEST_TESTED_ELO}"
        )

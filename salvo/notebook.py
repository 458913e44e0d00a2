"""Plays games from a notebook or a script."""

import contextlib
import os
import shutil
import warnings
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import mkdtemp

import pandas as pd

from arena.entrants import ClassEntrant, Terms
from arena.errors import BotError, UserError
from arena.isolation import AUTO, Choice, Level, choose
from arena.records import Settings
from arena.rules import Rules
from arena.seeds import DEFAULT_SEED
from arena.store import Look, Store
from arena.tournament import make_plan
from salvo.conditions import Conditions, cores
from salvo.playing.entering import BotLike, Entered, Notify, enter
from salvo.playing.recording import make_tournament
from salvo.playing.recording import play as play_into
from salvo.record import Record
from salvo.reports.tables.bot_table import bot_table
from salvo.rule_files import read_rules

_CALLER = 4  # frames from a warning to whoever called ``play``


def bots(rules: str | os.PathLike[str] | Rules = "salvo") -> pd.DataFrame:
    """Return the bundled bots, one a row: whether each plays the rules, and its idea.

    Raises:
        arena.errors.RulesError: If they name no rules.
    """
    table = bot_table(read_rules(rules))
    return pd.DataFrame(table.rows, columns=list(table.columns))


def play(  # noqa: PLR0913 - one argument an option of `salvo tournament`
    *bots: BotLike,
    gauntlet: BotLike | None = None,
    rules: str | os.PathLike[str] | Rules = "salvo",
    games: int = 200,
    layouts: int = 500,
    common_layouts: bool = False,
    seed: int = DEFAULT_SEED,
    workers: int | None = None,
    isolation: str = AUTO,
    settings: Settings = Settings(),  # noqa: B008 - it is immutable
    terms: Terms = Terms(),  # noqa: B008 - the same
    db: str | os.PathLike[str] | None = None,
    tournament: str | None = None,
    progress: Callable[[int, int], object] = lambda _done, _most: None,
) -> Record:
    """Play every bot against every other and alone, and return the record; see `salvo tournament`.

    A class of bots plays in this process, one block after another, and is trusted with all that
    this process can do; the record says so. All others play in processes of their own. What else
    the user should know, such as forfeits, is a ``UserWarning``.

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
        progress: Called after each block with the games done, and how many there are.

    Raises:
        arena.errors.UserError: If something that was asked for is impossible; the message says
            what, and how to fix it.
    """
    _refuse_amounts(games, layouts, seed, workers)
    choice = _level(isolation)
    conditions = Conditions(
        rules=read_rules(rules),
        seed=seed,
        workers=workers or cores(),
        isolation=choice,
        settings=settings,
        tournament_name=tournament,
        terms=terms,
        common_layouts=common_layouts,
    )
    with _warnings() as notify:
        for step in choice.steps_down:
            notify(f"isolation '{choice.level}' is used: {step}")
        entered = enter(bots, conditions, notify, gauntlet=gauntlet)
    _refuse_field(entered, games, workers)
    kind = "tournament" if games else "solo"
    wanted = make_tournament(kind, entered.entrants, conditions, entered.challenger)
    with contextlib.ExitStack() as undone:
        if db is None:
            folder = mkdtemp(prefix="salvo-")
            undone.callback(shutil.rmtree, folder, ignore_errors=True)
            db = Path(folder, "salvo.sqlite3")
        with _warnings() as notify, Store(Path(db), create=True) as store:
            wanted = store.resumed(wanted)
            plan = make_plan(wanted, games=games, layouts=layouts)
            play_into(wanted, plan, conditions, store, notify=notify, progress=progress)
            store.note_look(wanted.name, Look(plan.pairs))
        record = Record(db, wanted.name, plan=plan)
        weakref.finalize(record, undone.pop_all().close)
    return record


def _level(isolation: str) -> Choice:
    levels = [AUTO, *(level.value for level in Level)]
    if isolation not in levels:
        raise UserError(f"isolation is {isolation!r}; choose one of {', '.join(levels)}")
    return choose(isolation)


def _refuse_field(entered: Entered, games: int, workers: int | None) -> None:
    here = [one.name for one in entered.entrants if isinstance(one, ClassEntrant)]
    if here and (workers or 1) > 1:
        raise UserError(
            f"workers is {workers}: {', '.join(here)} plays in this process, one block after "
            "another; leave workers out, or write the bot to a file and name that"
        )
    if len(entered.entrants) == 1 and games:
        raise BotError(
            f"only {entered.entrants[0].name} is entered; two-player games need two bots, and "
            "games=0 plays it alone"
        )


def _refuse_amounts(games: int, layouts: int, seed: int, workers: int | None) -> None:
    if games < 0 or games % 2:
        raise UserError(
            f"games is {games}: games come in pairs with the seats swapped; ask for an even "
            "number, or 0 for none"
        )
    for name, number, least in (
        ("layouts", layouts, 0),
        ("seed", seed, 0),
        ("workers", 1 if workers is None else workers, 1),
    ):
        if number < least:
            raise UserError(f"{name} is {number}; give {least} or more")


@contextlib.contextmanager
def _warnings() -> Iterator[Notify]:
    texts: list[str] = []
    try:
        yield texts.append
    finally:
        for text in texts:
            warnings.warn(text, UserWarning, stacklevel=_CALLER)

"""What `tournament`, `match` and `solo` share: enter bots, and play what the record lacks."""

import logging
import secrets
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import click
from tqdm import tqdm
from tqdm.contrib.logging import logging_redirect_tqdm

from arena.entrants import Entrant, parse_entrants
from arena.errors import BotError
from arena.executors import LocalWorkers
from arena.isolation import USUAL_MB, Extra, Level, refused
from arena.player import Fault, LogFiles, Unsure
from arena.protocol import Introduction
from arena.records import Termination
from arena.rules import Rules
from arena.schedule import Schedule
from arena.seeds import LEAGUE_SEED_BITS, SAFE_SEED_BITS
from arena.store import Store, Tournament
from arena.tournament import introduce, name_tournament, run
from salvo.bundled import bundled_bots
from salvo.cli.forfeits import Unplayed, exit_unstarted, unplayed
from salvo.cli.options import RunOptions
from salvo.reports.tables import game_table

__all__ = ["Entered", "enter", "introduction_logs", "make_tournament", "play", "tell_needs"]

_INTERRUPTED = 130
_ATTEMPTS = 2
"""How often a bot is started for its introduction where something outside may be to blame."""
_WRONG_USAGE = "exited with code 2: "
"""How programs end whose options are wrong, and say why."""
_SHOWN = 400
"""Characters of a reason."""


class Entered(NamedTuple):
    """Who takes part.

    Attributes:
        entrants: Those who play the rules.
        left_out: The names of those who do not.
    """

    entrants: list[Entrant]
    left_out: list[str]

    def notes(self, rules: Rules) -> list[str]:
        """Return the notes to put under the tables about who was left out."""
        if not self.left_out:
            return []
        return [f"Left out, since they do not play {rules.name}: {', '.join(self.left_out)}."]


def enter(texts: Sequence[str], options: RunOptions) -> Entered:
    """Return who plays these rules, of the bots named or else of the default field.

    A bot that gives no introduction is entered anyway, and forfeits for the same fault; where
    none gives one, the command ends.

    Raises:
        BotError: If a text names nothing playable or gives a bundled bot a wrong option, or nobody
            plays these rules.
        click.exceptions.Exit: If none of them starts.
    """
    bundled = bundled_bots()
    entrants = parse_entrants(list(texts) or list(bundled), bundled, options.terms)
    introductions = [
        _introduction(entrant, options, text)
        for entrant, text in zip(entrants, texts or bundled, strict=True)
    ]
    if not any(introductions):
        exit_unstarted([entrant.name for entrant in entrants])
    entered = Entered([], [])
    for entrant, introduction in zip(entrants, introductions, strict=True):
        if not texts and not (introduction and introduction.default_field):
            continue
        if introduction is None or introduction.plays:
            entered.entrants.append(entrant)
            tell_needs(entrant, options.isolation.level)
        else:
            _tell(f"{entrant.name} does not play {options.rules.name} and is left out")
            entered.left_out.append(entrant.name)
    if not entered.entrants:
        raise BotError(f"none of the bots plays {options.rules.name}; name others")
    return entered


def tell_needs(entrant: Entrant, level: Level) -> None:
    """Say so if a bot's own TOML asks for more than every bot is given."""
    program = entrant.program
    if program.memory_mb > USUAL_MB or program.processes:
        more = " and may start processes" if program.processes else ""
        _tell(f"{entrant.name} is given {program.memory_mb} MB{more}, as its TOML asks")
    if program.temporary_mb:
        why = "only isolation sandbox gives one"
        if level is Level.SANDBOX:
            why = refused(Extra.TEMPORARY) or ""
        given = f"no temporary folder: {why}" if why else "a temporary folder, as its TOML asks"
        _tell(f"{entrant.name} is given {given}")


def _introduction(entrant: Entrant, options: RunOptions, text: str) -> Introduction | None:
    """Return how a bot introduces itself, or None if it is at fault; say why.

    Raises:
        BotError: If it is a bundled bot that does not know an option in ``text``.
    """
    level = options.isolation.level
    logs = introduction_logs(options.logs, entrant)
    for _ in range(_ATTEMPTS):
        try:
            return introduce(entrant.program, options.rules, options.settings, level, logs)
        except Fault as fault:
            if is_bundled(entrant):
                _refuse_options(text, fault)
            _tell(f"{entrant.name}: {fault.reason}")
            if not isinstance(fault, Unsure):
                break
    return None


def is_bundled(entrant: Entrant) -> bool:
    """Return whether a bot is one of those that come with Salvo."""
    bundled = {str(path.resolve()) for path in bundled_bots().values()}
    return not bundled.isdisjoint(entrant.program.files)


def _refuse_options(text: str, fault: Fault) -> None:
    """Refuse the options of a bundled bot, if it ended because it does not know them.

    Raises:
        BotError: If it did.
    """
    cause = fault.__cause__
    if isinstance(cause, Fault) and cause.reason.startswith(_WRONG_USAGE):
        wrong = cause.reason.partition("error: ")[2] or cause.reason
        fix = "leave them out" if "no options" in wrong else "bots/README.md lists its options"
        raise BotError(f"bot {text!r}: {wrong}; {fix}")


def introduction_logs(folder: Path | None, entrant: Entrant) -> LogFiles | None:
    """Return the files for what a bot writes to stderr while it only introduces itself."""
    return None if folder is None else LogFiles(folder / "introductions", entrant.name)


def make_tournament(
    kind: str, entrants: Iterable[Entrant], options: RunOptions, gauntlet: str | None = None
) -> Tournament:
    """Return the tournament of a command, under the name given or one of its own.

    Args:
        kind: The command.
        entrants: Who takes part.
        options: The rules, the seed and the times, and the name if it was given.
        gauntlet: The one who meets all others, or None where each meets each.
    """
    return name_tournament(
        Tournament(
            name=options.tournament_name or "",
            kind=kind,
            rules=options.rules,
            seed=str(options.seed),
            settings=options.settings,
            entrants=tuple(entrants),
            gauntlet=gauntlet,
        )
    )


def play(
    tournament: Tournament, schedule: Schedule, options: RunOptions, store: Store
) -> list[Unplayed]:
    """Play what the record lacks, with a progress bar.

    Ctrl-C keeps every block that was committed, says how to go on, and exits.

    Returns:
        The matches of which every game is a forfeit, for ``exit_if_unplayed``.
    """
    _warn_of_seed(tournament, options.seed)
    tqdm.monitor_interval = 0  # workers are forked, and its thread would be in the way
    logging.basicConfig(format="salvo: %(message)s", level=logging.WARNING)
    with tqdm(unit=" games", disable=None, leave=False) as bar, logging_redirect_tqdm():
        state = {"done": 0, "wanted": 0}

        def show(done: int, wanted: int) -> None:
            if not bar.total:
                bar.reset(wanted)
                bar.initial = done  # so that the rate counts what is played now
            bar.update(done - state["done"])
            state.update(done=done, wanted=wanted)

        try:
            run(
                tournament,
                schedule,
                executor=LocalWorkers(options.workers),
                isolation=options.isolation,
                store=store,
                progress=show,
                logs=options.logs,
            )
        except KeyboardInterrupt:
            bar.close()
            _tell(
                f"stopped after {state['done']} of {state['wanted']} games, which are safe in "
                f"{options.db}; the same command goes on from there"
            )
            sys.exit(_INTERRUPTED)
    _tell_forfeits(tournament, store)
    _tell_voids(tournament, store)
    return unplayed(store, tournament.name)


def _warn_of_seed(tournament: Tournament, seed: int) -> None:
    """Warn if the author of a bot could work out the layouts."""
    strangers = [entrant.name for entrant in tournament.entrants if not is_bundled(entrant)]
    if strangers and seed < 2**SAFE_SEED_BITS:
        _tell(
            f"seed {seed} can be guessed, and whoever knows it knows every layout: for a contest "
            f"with the author of {', '.join(strangers)} use a secret one, such as "
            f"--seed {secrets.randbits(LEAGUE_SEED_BITS)}"
        )


def _tell_voids(tournament: Tournament, store: Store) -> None:
    """Say whose games were interrupted and played again."""
    for name, games in sorted(Counter(v.entrant for v in store.voids(tournament.name)).items()):
        _tell(
            f"{name}: its process was killed from outside or did not get the processor in "
            f"{games} game{'' if games == 1 else 's'}, which were played again on other seeds"
        )


def _tell_forfeits(tournament: Tournament, store: Store) -> None:
    """Say who forfeited games, and how to see why."""
    results = game_table(store, tournament.name)
    forfeits = results[results["forfeit"].notna()]
    losers = forfeits["first"].where(forfeits["forfeit"] == "first", forfeits["second"])
    for name in [entrant.name for entrant in tournament.entrants]:
        mine = forfeits[losers == name]
        if len(mine):
            games = ((results["first"] == name) | (results["second"] == name)).sum()
            # A bot is barred for what it forfeited earlier games by.
            told = mine.loc[mine["termination"] != Termination.BARRED, "reason"]
            reason = str(told.mode()[0])[:_SHOWN]
            _tell(
                f"{name} forfeited {len(mine)} of {games} games, mostly because: {reason}; "
                f"`salvo games --forfeits --tournament {tournament.name}` shows all, and its stderr"
            )


def _tell(text: str) -> None:
    click.echo(f"salvo: {text}", err=True)

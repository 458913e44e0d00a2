"""Enters bots: starts each for its introduction, and keeps those that play the rules."""

import functools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

from arena.bot import Bot
from arena.entrants import (
    Entrant,
    Library,
    Terms,
    enter_class,
    parse_entrant,
    refuse_alike,
    refuse_unasked,
)
from arena.entrants import enter as enter_words
from arena.errors import BotError
from arena.isolation import USUAL_MB, Extra, Level, Program, refused
from arena.player import Fault, InProcessPlayer, LogFiles, RemotePlayer, Unsure
from arena.protocol import Introduction
from arena.rules import Rules
from arena.text import first_few
from arena.tournament import connect, copied, introduce_all
from salvo.bundled import bundled_bots, compile_imports, default_field
from salvo.conditions import Conditions, cores

BotLike = str | os.PathLike[str] | type[Bot]
"""A BOT as on the command line, the path of a file or folder, or a class of bots."""

Notify = Callable[[str], object]
"""Called with what the user should know, one line each."""

MOST_ASKED = 100
"""The largest field of which every bot is started beforehand, to ask whether it plays the rules.

To start a bot takes a tenth of a second, and in a larger field the first game would wait for it.
"""
_ATTEMPTS = 2
"""Starts of a bot for its introduction, where something outside may be to blame."""
_WRONG_USAGE = "exited with code 2: "  # the exit of programs with wrong options, before the reason


class NobodyStartsError(BotError):
    """None of the bots that were named starts; ``names`` has their names."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"nothing was played, since none of these bots starts: {', '.join(names)}")
        self.names = tuple(names)


class Entered(NamedTuple):
    """The bots that take part, and those that do not."""

    entrants: list[Entrant]
    left_out: list[str]
    # The one of a gauntlet who meets all others, or None where each meets each.
    challenger: str | None = None

    def notes(self, rules: Rules) -> list[str]:
        """Return the notes to put under the tables about who was left out."""
        if not self.left_out:
            return []
        return [f"Left out, since they do not play {rules.name}: {', '.join(self.left_out)}."]


def enter(
    bots: Sequence[BotLike],
    conditions: Conditions,
    notify: Notify,
    *,
    gauntlet: BotLike | None = None,
) -> Entered:
    """Return who plays these rules, of the bots named or else of the default field.

    A bot that gives no introduction is entered anyway, and forfeits for the same fault. Of more
    than ``MOST_ASKED`` bots each introduces itself when it first plays; one that then does not play
    these rules forfeits too. The challenger of a gauntlet may be among the others.

    Raises:
        BotError: If one names nothing playable or gives a bundled bot a wrong option, two have one
            name, or nobody plays these rules.
        NobodyStartsError: If none of them starts.
    """
    if gauntlet is None:
        entered = _enter(bots, conditions, notify)
    else:
        entered = _enter_gauntlet(gauntlet, bots, conditions, notify)
    asked: dict[str, tuple[str, ...] | None] = dict.fromkeys(entered.left_out)
    asked |= {one.name: one.program.secrets for one in entered.entrants}
    refuse_unasked(conditions.terms.secrets, asked)
    return entered


def _enter_gauntlet(
    gauntlet: BotLike, bots: Sequence[BotLike], conditions: Conditions, notify: Notify
) -> Entered:
    [challenger] = _enter([gauntlet], conditions, notify).entrants
    others, left_out, _ = _enter(bots, conditions, notify)
    field = [entrant for entrant in others if entrant.name != challenger.name]
    refuse_alike([challenger.name, *(entrant.name for entrant in field)])
    return Entered([challenger, *field], left_out, challenger.name)


def _enter(bots: Sequence[BotLike], conditions: Conditions, notify: Notify) -> Entered:
    named = bots or default_field()
    compile_imports()
    entrants = entrants_of(named, conditions.terms)
    refuse_alike(entrant.name for entrant in entrants)
    introductions: list[Introduction | None] = [None] * len(entrants)
    if len(entrants) > MOST_ASKED:
        notify(
            f"{len(entrants):,} bots are too many to start each beforehand: one that does not play "
            f"{conditions.rules.name} is not left out, but forfeits its games"
        )
    else:
        introductions = list(_introductions(entrants, conditions, notify, named))
        if not any(introductions):
            raise NobodyStartsError([entrant.name for entrant in entrants])
    entered = Entered([], [])
    for entrant, introduction in zip(entrants, introductions, strict=True):
        if not bots and not (introduction and introduction.default_field):
            continue
        if introduction is None or introduction.plays:
            entered.entrants.append(entrant)
            for needs in needs_of(entrant, conditions.isolation.level):
                notify(needs)
        else:
            notify(f"{entrant.name} does not play {conditions.rules.name} and is left out")
            entered.left_out.append(entrant.name)
    if not entered.entrants:
        plays = "does not play" if len(entered.left_out) == 1 else "do not play"
        which = first_few(entered.left_out)
        raise BotError(f"{which} {plays} {conditions.rules.name}; name others")
    return entered


def entrants_of(bots: Iterable[BotLike], terms: Terms) -> list[Entrant]:
    """Return the bots that are meant.

    Raises:
        BotError: If nothing is meant by one, or it asks for more than the terms allow.
    """
    bundled = bundled_bots()
    library = Library.around(bundled)
    return [_entrant_of(bot, terms, bundled, library) for bot in bots]


def _entrant_of(
    bot: BotLike, terms: Terms, bundled: Mapping[str, Path], library: Library
) -> Entrant:
    if isinstance(bot, str):
        return parse_entrant(bot, bundled, terms, library)
    if isinstance(bot, type):
        return enter_class(bot, library)
    if not isinstance(bot, os.PathLike):
        raise BotError(
            f"{bot!r} is no bot: give a name, a path, or the class itself, as in "
            f"salvo.play({type(bot).__name__})"
        )
    return enter_words("", [str(Path(bot))], bundled, terms, library)


def needs_of(entrant: Entrant, level: Level) -> list[str]:
    """Return notes on a bot whose own TOML asks for more than every bot is given."""
    program, needs = entrant.program, []
    processes = program.processes and level is not Level.LITE
    if program.memory_mb > USUAL_MB or processes:
        more = " and may start processes" if processes else ""
        needs.append(f"{entrant.name} is given {program.memory_mb} MB{more}, as its TOML asks")
    if program.processes and not processes:
        needs.append(f"{entrant.name} may start no processes: isolation {level} lets no bot")
    if processes and level is Level.SANDBOX and (why := refused(Extra.SHARED)) is not None:
        needs.append(f"{entrant.name} is given no memory for its processes to share: {why}")
    if program.temporary_mb:
        why = "only isolation sandbox gives one"
        if level is Level.SANDBOX:
            why = refused(Extra.TEMPORARY) or ""
        given = f"no temporary folder: {why}" if why else "a temporary folder, as its TOML asks"
        needs.append(f"{entrant.name} is given {given}")
    if program.network:
        needs.append(f"{entrant.name} {_network_of(program, level)}")
    if program.secrets:
        kept = level in {Level.SANDBOX, Level.LITE}
        others = "" if kept else f"; at isolation {level} every bot can read them"
        needs.append(
            f"{entrant.name} is given {', '.join(program.secrets)}, as its TOML asks{others}"
        )
    return needs


def _network_of(program: Program, level: Level) -> str:
    if level is Level.LITE:
        return f"has no network: isolation {level} lets no bot reach it"
    if level is not Level.SANDBOX:
        return f"reaches all of the network: isolation {level} keeps no bot from it"
    if (why := refused(Extra.NETWORK)) is not None:
        return f"has no network: {why}"
    return f"may reach {', '.join(program.network)}, as its TOML asks"


def _introductions(
    entrants: Sequence[Entrant], conditions: Conditions, notify: Notify, bots: Iterable[BotLike]
) -> Iterator[Introduction | None]:
    """Yield how each bot introduces itself, or None if it is at fault; say why."""
    with ExitStack() as stack:
        bots = stack.enter_context(copied(entrants, conditions.isolation.level)).bots
        players = [_player(entrant, bots, conditions) for entrant in entrants]
        outcomes = stack.enter_context(closing(introduce_all(players, cores())))
        for entrant, bot, first in zip(entrants, bots, outcomes, strict=True):
            outcome, attempts = first, 1
            while isinstance(outcome, Fault):
                if is_bundled(entrant):
                    _refuse_options(bot, outcome)
                notify(f"{entrant.name}: {outcome.reason}")
                if not isinstance(outcome, Unsure) or attempts == _ATTEMPTS:
                    break
                [outcome] = introduce_all([_player(entrant, bots, conditions)], 1)
                attempts += 1
            yield None if isinstance(outcome, Fault) else outcome


def _player(
    entrant: Entrant, bots: Mapping[str, Program | type[Bot]], conditions: Conditions
) -> RemotePlayer | InProcessPlayer:
    return connect(
        bots[entrant.name],
        conditions.rules,
        conditions.settings,
        conditions.isolation.level,
        introduction_logs(conditions.logs, entrant),
    )


def is_bundled(entrant: Entrant) -> bool:
    """Return whether a bot is one of those that come with Salvo."""
    return not _bundled_files().isdisjoint(entrant.program.files)


@functools.cache
def _bundled_files() -> frozenset[str]:
    return frozenset(str(path.resolve()) for path in bundled_bots().values())


def _refuse_options(bot: BotLike, fault: Fault) -> None:
    """Refuse the options of a bundled bot, if it ended because it does not know them."""
    cause = fault.__cause__
    if isinstance(cause, Fault) and cause.reason.startswith(_WRONG_USAGE):
        wrong = cause.reason.partition("error: ")[2] or cause.reason
        fix = "leave them out" if "no options" in wrong else "bots/README.md lists its options"
        raise BotError(f"bot {bot!r}: {wrong}; {fix}")


def introduction_logs(folder: Path | None, entrant: Entrant) -> LogFiles | None:
    """Return the files for what a bot writes to stderr while it only introduces itself."""
    return None if folder is None else LogFiles(folder / "introductions", entrant.name)

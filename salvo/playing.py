"""Playing into a record: who takes part, what the record lacks, and what is to be said of it."""

import os
import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

from arena.bot import Bot
from arena.entrants import ClassEntrant, Entrant, enter_class, parse_entrant, refuse_alike
from arena.entrants import enter as enter_words
from arena.errors import BotError, UserError
from arena.executors import Cluster, Executor, LocalWorkers, ThisProcess
from arena.isolation import USUAL_MB, Extra, Level, Program, refused
from arena.player import Fault, InProcessPlayer, LogFiles, RemotePlayer, Unsure
from arena.protocol import Introduction
from arena.records import PAIRS_PER_BLOCK, PAIRS_PER_BLOCK_OF_A_FIELD, Termination
from arena.rules import Rules
from arena.schedule import Schedule
from arena.seeds import LEAGUE_SEED_BITS, SAFE_SEED_BITS
from arena.store import RESULT_COLUMNS, Store, Tournament
from arena.tournament import connect, copied, introduce_all, name_tournament, run
from arena.tournament.remote_block import payload_of
from salvo.bundled import bundled_bots, default_field
from salvo.conditions import Conditions, cores
from salvo.reports.words.overload import describe_overload

BotLike = str | os.PathLike[str] | type[Bot]
"""A BOT as on the command line, the path of a file or folder, or a class of bots."""

Tell = Callable[[str], object]
"""Called with what the user should know, one line each."""

_ATTEMPTS = 2
"""How often a bot is started for its introduction where something outside may be to blame."""
_WRONG_USAGE = "exited with code 2: "
"""How programs end whose options are wrong, and say why."""
_SHOWN = 400
"""Characters of a reason."""


class NobodyStartsError(BotError):
    """None of the bots that were named starts; ``names`` has their names."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"nothing was played, since none of these bots starts: {', '.join(names)}")
        self.names = tuple(names)


class Entered(NamedTuple):
    """Who takes part.

    Attributes:
        entrants: Those who play the rules.
        left_out: The names of those who do not.
        challenger: The one of a gauntlet who meets all others, or None where each meets each.
    """

    entrants: list[Entrant]
    left_out: list[str]
    challenger: str | None = None

    def notes(self, rules: Rules) -> list[str]:
        """Return the notes to put under the tables about who was left out."""
        if not self.left_out:
            return []
        return [f"Left out, since they do not play {rules.name}: {', '.join(self.left_out)}."]


def enter(
    bots: Sequence[BotLike],
    conditions: Conditions,
    tell: Tell,
    *,
    gauntlet: BotLike | None = None,
) -> Entered:
    """Return who plays these rules, of the bots named or else of the default field.

    A bot that gives no introduction is entered anyway, and forfeits for the same fault.

    Args:
        bots: The bots; none for the default field.
        conditions: Under what they are to play.
        tell: Called with what the user should know.
        gauntlet: The challenger of a gauntlet, who may be among the others.

    Raises:
        BotError: If one names nothing playable or gives a bundled bot a wrong option, two have one
            name, or nobody plays these rules.
        NobodyStartsError: If none of them starts.
    """
    if gauntlet is None:
        return _enter(bots, conditions, tell)
    [challenger] = _enter([gauntlet], conditions, tell).entrants
    others, left_out, _ = _enter(bots, conditions, tell)
    field = [entrant for entrant in others if entrant.name != challenger.name]
    refuse_alike([challenger.name, *(entrant.name for entrant in field)])
    return Entered([challenger, *field], left_out, challenger.name)


def _enter(bots: Sequence[BotLike], conditions: Conditions, tell: Tell) -> Entered:
    named = bots or default_field()
    entrants = [_entrant(bot, conditions) for bot in named]
    refuse_alike(entrant.name for entrant in entrants)
    introductions = list(_introductions(entrants, conditions, tell, named))
    if not any(introductions):
        raise NobodyStartsError([entrant.name for entrant in entrants])
    entered = Entered([], [])
    for entrant, introduction in zip(entrants, introductions, strict=True):
        if not bots and not (introduction and introduction.default_field):
            continue
        if introduction is None or introduction.plays:
            entered.entrants.append(entrant)
            for needs in needs_of(entrant, conditions.isolation.level):
                tell(needs)
        else:
            tell(f"{entrant.name} does not play {conditions.rules.name} and is left out")
            entered.left_out.append(entrant.name)
    if not entered.entrants:
        raise BotError(f"none of the bots plays {conditions.rules.name}; name others")
    return entered


def _entrant(bot: BotLike, conditions: Conditions) -> Entrant:
    """Return a bot as an entrant.

    Raises:
        BotError: If it is nothing playable.
    """
    if isinstance(bot, str):
        return parse_entrant(bot, bundled_bots(), conditions.terms)
    if isinstance(bot, type):
        return enter_class(bot, bundled_bots())
    if not isinstance(bot, os.PathLike):
        raise BotError(
            f"{bot!r} is no bot: give a name, a path, or the class itself, as in "
            f"salvo.play({type(bot).__name__})"
        )
    return enter_words("", [str(Path(bot))], bundled_bots(), conditions.terms)


def needs_of(entrant: Entrant, level: Level) -> list[str]:
    """Return what to say of a bot whose own TOML asks for more than every bot is given."""
    program, needs = entrant.program, []
    if program.memory_mb > USUAL_MB or program.processes:
        more = " and may start processes" if program.processes else ""
        needs.append(f"{entrant.name} is given {program.memory_mb} MB{more}, as its TOML asks")
    if program.temporary_mb:
        why = "only isolation sandbox gives one"
        if level is Level.SANDBOX:
            why = refused(Extra.TEMPORARY) or ""
        given = f"no temporary folder: {why}" if why else "a temporary folder, as its TOML asks"
        needs.append(f"{entrant.name} is given {given}")
    return needs


def _introductions(
    entrants: Sequence[Entrant], conditions: Conditions, tell: Tell, bots: Iterable[BotLike]
) -> Iterator[Introduction | None]:
    """Yield how each bot introduces itself, or None if it is at fault; say why.

    Raises:
        BotError: If it is a bundled bot that does not know an option among ``bots``.
    """
    with ExitStack() as stack:
        bots = stack.enter_context(copied(entrants, conditions.isolation.level)).bots
        players = [_player(entrant, bots, conditions) for entrant in entrants]
        outcomes = stack.enter_context(closing(introduce_all(players, cores())))
        for entrant, bot, first in zip(entrants, bots, outcomes, strict=True):
            outcome, attempts = first, 1
            while isinstance(outcome, Fault):
                if is_bundled(entrant):
                    _refuse_options(bot, outcome)
                tell(f"{entrant.name}: {outcome.reason}")
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
    bundled = {str(path.resolve()) for path in bundled_bots().values()}
    return not bundled.isdisjoint(entrant.program.files)


def _refuse_options(bot: BotLike, fault: Fault) -> None:
    """Refuse the options of a bundled bot, if it ended because it does not know them.

    Raises:
        BotError: If it did.
    """
    cause = fault.__cause__
    if isinstance(cause, Fault) and cause.reason.startswith(_WRONG_USAGE):
        wrong = cause.reason.partition("error: ")[2] or cause.reason
        fix = "leave them out" if "no options" in wrong else "bots/README.md lists its options"
        raise BotError(f"bot {bot!r}: {wrong}; {fix}")


def introduction_logs(folder: Path | None, entrant: Entrant) -> LogFiles | None:
    """Return the files for what a bot writes to stderr while it only introduces itself."""
    return None if folder is None else LogFiles(folder / "introductions", entrant.name)


def make_tournament(
    kind: str, entrants: Iterable[Entrant], conditions: Conditions, gauntlet: str | None = None
) -> Tournament:
    """Return a tournament, under the name given or one of its own.

    Args:
        kind: The command.
        entrants: Who takes part.
        conditions: The rules, the seed and the times, and the name if it was given.
        gauntlet: The one who meets all others, or None where each meets each.
    """
    return name_tournament(
        Tournament(
            name=conditions.tournament_name or "",
            kind=kind,
            rules=conditions.rules,
            seed=str(conditions.seed),
            settings=conditions.settings,
            entrants=tuple(entrants),
            gauntlet=gauntlet,
            block_pairs=PAIRS_PER_BLOCK_OF_A_FIELD if kind == "tournament" else PAIRS_PER_BLOCK,
            common_layouts=conditions.common_layouts,
        )
    )


def play(  # noqa: PLR0913 - what is played and how, and three ways to follow it
    tournament: Tournament,
    schedule: Schedule,
    conditions: Conditions,
    store: Store,
    *,
    tell: Tell,
    progress: Callable[[int, int], object],
    stop: Callable[[], bool] = lambda: False,
) -> None:
    """Play what the record lacks, and tell of forfeits and of games that were played again.

    Args:
        tournament: What is played.
        schedule: How much of it.
        conditions: Under what it is played.
        store: The record.
        tell: Called with what the user should know.
        progress: See ``arena.tournament.run``.
        stop: See ``arena.tournament.run``.
    """
    _warn_of_seed(tournament, conditions.seed, tell)
    run(
        tournament,
        schedule,
        executor=_executor(tournament, schedule, conditions),
        isolation=conditions.isolation,
        store=store,
        progress=progress,
        stop=stop,
        logs=conditions.logs,
    )
    _tell_forfeits(tournament, store, tell)
    _tell_voids(tournament, store, tell)
    overload = describe_overload(store.origins_of_timeouts(tournament.name))
    if overload is not None:
        tell(overload)


def _executor(tournament: Tournament, schedule: Schedule, conditions: Conditions) -> Executor:
    """Return what plays the blocks.

    Raises:
        UserError: If a folder was named for what bots write, which they do on other machines.
    """
    if any(isinstance(entrant, ClassEntrant) for entrant in tournament.entrants):
        return ThisProcess()
    if conditions.cluster is None:
        return LocalWorkers(conditions.workers)
    if conditions.logs is not None:
        raise UserError(
            f"--log {conditions.logs}: with --cluster bots write on other machines; leave out one "
            "of them; the record keeps what bots wrote before they forfeited"
        )
    payload = payload_of(tournament, schedule.seeds, conditions.isolation.level)
    return Cluster(conditions.cluster, payload, conditions.workers)


def _warn_of_seed(tournament: Tournament, seed: int, tell: Tell) -> None:
    """Warn if the author of a bot could work out the layouts."""
    strangers = [
        entrant.name
        for entrant in tournament.entrants
        if not is_bundled(entrant) and not isinstance(entrant, ClassEntrant)
    ]
    if strangers and seed < 2**SAFE_SEED_BITS:
        tell(
            f"seed {seed} can be guessed, and whoever knows it knows every layout: for a contest "
            f"with the author of {', '.join(strangers)} use a secret one, such as "
            f"--seed {secrets.randbits(LEAGUE_SEED_BITS)}"
        )


def _tell_voids(tournament: Tournament, store: Store, tell: Tell) -> None:
    """Say whose games were interrupted and played again."""
    for name, games in sorted(Counter(v.entrant for v in store.voids(tournament.name)).items()):
        tell(
            f"{name}: its process was killed from outside or did not get the processor in "
            f"{games} game{'' if games == 1 else 's'}, which were played again on other seeds"
        )


def _tell_forfeits(tournament: Tournament, store: Store, tell: Tell) -> None:
    """Say who forfeited games, and how to see why."""
    games: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    reasons: dict[str, Counter[str]] = defaultdict(Counter)
    for row in store.results(tournament.name):
        game = dict(zip(RESULT_COLUMNS, row, strict=True))
        games.update(filter(None, (game["first"], game["second"])))
        if game["forfeit"]:
            loser = game[game["forfeit"]]
            lost[loser] += 1
            # A bot is barred for what it forfeited earlier games by.
            reasons[loser][game["reason"]] += game["termination"] != Termination.BARRED
    for name in [entrant.name for entrant in tournament.entrants if lost[entrant.name]]:
        reason = max(sorted(reasons[name]), key=reasons[name].__getitem__)[:_SHOWN]
        tell(
            f"{name} forfeited {lost[name]} of {games[name]} games, mostly because: {reason}; "
            f"`salvo games --forfeits --tournament {tournament.name}` shows all, and its stderr"
        )

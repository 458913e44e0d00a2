"""Checks a bot in steps, in the order in which its author gets to them."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal

from msgspec import Struct

from arena.bot import Bot
from arena.conformance.sparring import Sparring
from arena.conformance.wire import Exchange, Heard, OutOfTimeError, Wire
from arena.entrants import Entrant
from arena.isolation import Level, Program, hint, start
from arena.player import (
    ONLY_ANSWERS,
    Fault,
    InProcessPlayer,
    Player,
    RemotePlayer,
    last_words,
    masking_of,
)
from arena.protocol import Introduction
from arena.records import Fixture, Game, Settings, ShootStep, Termination
from arena.referee import play_game
from arena.rules import Rules, Seat, view
from arena.text import counted
from arena.tournament import copied

Verdict = Literal["ok", "warning", "failed", "skipped"]

SLOW_SHARE = 0.5
"""The share of the time for a move above which an answer counts as slow."""

GAMES = 10
"""Whole games of each kind, at most."""

GAMES_S = 2.0
"""How long games of a kind have been played when no more is begun, in wall time."""

_SEEDS = (4_503_599_627_370_497, 9_007_199_254_740_991)
"""A seed of more than 32 bits, and the largest possible one."""


class Step(Struct, frozen=True):
    """The outcome of one step.

    A warning would not forfeit any game; ``seconds`` are wall time.
    """

    number: int
    title: str
    verdict: Verdict
    seconds: float = 0.0
    detail: str = ""
    exchange: Exchange | None = None
    stderr: str = ""


class _Failure(Exception):  # noqa: N818 - a verdict on a bot, not an error
    """The bot did not do what the step asks, and would forfeit a game for it."""


class _Warning(Exception):  # noqa: N818 - the same
    """The bot did something its author may not want, but would not forfeit a game for it."""


def check(
    entrant: Entrant, rules: Rules, settings: Settings, isolation: Level, most_s: float = math.inf
) -> Iterator[Step]:
    """Yield each step as it finishes; those after a failure are skipped.

    A class of bots plays in this process; steps about the lines of a program are skipped. A check
    whose time is over ends there: it fails if the bot had not come to whole games by then, which
    alone can take long; otherwise the steps that are left are skipped.
    """
    until = time.monotonic() + most_s
    too_long = f"the check had taken {most_s:g} s, which is all that it may take"
    with copied([entrant], isolation) as copies:
        subject = _Subject(copies.bots[entrant.name], rules, settings, isolation, until)
        yield from _steps(subject, too_long)


def _steps(subject: "_Subject", too_long: str) -> Iterator[Step]:
    failed, over = False, ""
    for number, (title, run) in enumerate(_STEPS, start=1):
        if subject.is_class and number in _OF_PROGRAMS:
            yield Step(number, title, "skipped", detail="a class: only a program has lines")
            continue
        if failed or over:
            yield Step(number, title, "skipped", detail=over)
            continue
        started = time.monotonic()
        verdict: Verdict = "ok"
        exchange = None
        try:
            detail = run(subject)
        except _Warning as warning:
            verdict, detail = "warning", str(warning)
        except _Failure as failure:
            verdict, detail, failed = "failed", str(failure), True
            subject.stop()
            exchange = subject.wire.last_exchange() if subject.wire is not None else None
        except OutOfTimeError:
            detail = over = too_long
            failed = number < _FIRST_WHOLE_GAME
            verdict = "failed" if failed else "skipped"
            subject.stop()
        seconds = time.monotonic() - started
        yield Step(number, title, verdict, seconds, detail, exchange, subject.stderr())
    subject.stop()


class _Subject:
    """The bot being checked, and games with it."""

    def __init__(
        self,
        bot: Program | type[Bot],
        rules: Rules,
        settings: Settings,
        isolation: Level,
        until: float,
    ) -> None:
        self._until = until
        self.rules = rules
        self.settings = settings
        self.wire: Wire | None = None
        self._heard = Heard()
        self._isolation = isolation
        self._player: RemotePlayer | InProcessPlayer
        self.is_class = isinstance(bot, type)
        self.spaced = False  # whether lines are written in another way, to a bot yet to be started
        self.first: Game | None = None  # the first of a program that had just been started
        if isinstance(bot, type):
            self._player = InProcessPlayer(bot, view(rules), settings)
        else:
            explain = partial(hint, program=bot.original or bot, level=isolation)
            connect = partial(self._connect, bot)
            self._player = RemotePlayer(connect, view(rules), settings, explain, waits=bot.waits)

    def _connect(self, program: Program) -> Wire:
        child = start(self._isolation, program)
        self.wire = Wire(
            child,
            self.rules,
            self.settings,
            self._heard,
            masking=masking_of(program),
            until=self._until,
        )
        self.wire.spaced = self.spaced
        return self.wire

    def stderr(self) -> str:
        """Return the end of what the bot has written to stderr since the last call."""
        if self.wire is not None:
            self.wire.stderr()  # read what is there
        return self._heard.take()

    def start(self) -> Introduction:
        try:
            self._player.start()
        except Fault as fault:
            self._player.stop(fault)
            cause = fault.__cause__
            hint = _hint(cause.termination) if isinstance(cause, Fault) else ""
            raise _Failure(f"{fault.reason}{hint}") from fault
        assert self._player.introduction is not None
        return self._player.introduction

    def play(
        self,
        seat: Seat = "first",
        *,
        solo: bool = False,
        answers: int | None = None,
        number: int = 0,
    ) -> Game:
        """Play a game with the bot in ``seat``, in which its opponent leaves after ``answers``.

        Games of different numbers have different seeds.
        """
        players: dict[str, Player] = {
            "bot": self._player,
            "sparring": Sparring(self.rules, answers),
        }
        names = ("bot", "sparring") if seat == "first" else ("sparring", "bot")
        seeds = (_SEEDS[0] + number, _SEEDS[1] - number)
        fixture = Fixture("check", names[0], None if solo else names[1], 0, seeds)
        game = play_game(fixture, self.rules, self.settings, players)
        unasked = self.wire.unasked if self.wire is not None else None
        # A line that was printed before an answer was taken for it; what was left is the answer.
        if game.forfeit == seat and (unasked is None or game.termination is Termination.MALFORMED):
            raise _Failure(f"{game.termination}: {game.reason}{_hint(game.termination)}")
        if unasked is not None:
            line = unasked[:200].decode("utf-8", "backslashreplace").rstrip()
            raise _Failure(f"it wrote a line without being asked: {line!r}; {ONLY_ANSWERS}")
        late = self._player.late
        if late is not None:
            raise _Failure(f"after the game, {late.termination}: {late.reason}")
        return game

    def stop(self) -> None:
        said = self._player.stop()
        if self.is_class:  # the wire hears the others
            self._heard.write(said.encode())


def _hint(termination: Termination) -> str:
    if termination is Termination.TIMEOUT:
        return "; if it did answer: it must end the line and flush its output"
    return ""


def _introduces_itself(subject: _Subject) -> str:
    introduction = subject.start()
    author = f" by {introduction.author}" if introduction.author else ""
    version = f", version {introduction.version}" if introduction.version else ""
    return f"{introduction.name}{author}{version}"


def _plays_these_rules(subject: _Subject) -> str:
    if not subject.start().plays:
        raise _Failure("it says that it does not")
    return ""


def _reads_any_json(subject: _Subject) -> str:
    """Play the beginning of a game in lines that are written in another way than the arena's."""
    subject.stop()
    subject.spaced = True
    try:
        _begins(subject, answers=2)
    except _Failure as failure:
        raise _Warning(
            "it reads lines as this arena writes them, and not with spaces between the parts or "
            f"fields in another order, as other hosts may: {failure}"
        ) from failure
    finally:
        subject.spaced = False
        subject.stop()
    return ""


def _begins(subject: _Subject, answers: int, seat: Seat = "first", *, more: bool = False) -> str:
    """Play the beginning of a game, in which the opponent leaves after some answers."""
    subject.start()
    if subject.wire is not None:  # a class has none; whole games have another
        subject.wire.attentive, subject.wire.more = not more, more
    subject.play(seat, answers=answers)
    return ""


def _plays(subject: _Subject, seat: Seat = "first", *, solo: bool = False) -> str:
    """Play whole games, one at least: a fault may come late, and in few of them."""
    began = time.monotonic()
    games = [subject.play(seat, solo=solo)]
    if subject.first is None and not subject.is_class:
        subject.first = games[0]  # the step before stopped it
    for number in range(1, GAMES):
        if time.monotonic() - began > GAMES_S:
            break
        games.append(subject.play(seat, solo=solo, number=number))
    return _summary(subject, seat, games)


def _summary(subject: _Subject, seat: Seat, games: Sequence[Game]) -> str:
    tallies = [game.tallies[0 if seat == "first" else 1] for game in games]
    charged_s = [step.charge_s for game in games for step in game.steps if step.seat == seat]
    text = (
        f"{counted(len(games), 'game')}, "
        f"{sum(tally.turns for tally in tallies)} turns, "
        f"{sum(tally.shots for tally in tallies)} shots, "
        f"slowest answer {max(charged_s) * 1000:.0f} ms"
    )
    slowest_s = max(charged_s)
    if slowest_s > SLOW_SHARE * subject.settings.move_s:
        raise _Warning(f"{text} of {subject.settings.move_s * 1000:g} allowed")
    return text


def _repeats_itself(subject: _Subject) -> str:
    subject.stop()
    once = subject.first
    if once is None:  # of a class, which has no process that ends with all it had in memory
        once = subject.play()
        subject.stop()
    again = subject.play()
    if _choices(once) != _choices(again):
        raise _Warning(
            "the same seed gave another game, so its games cannot be reproduced; "
            "take all randomness from the game's seed"
        )
    return ""


def _choices(game: Game) -> tuple[object, ...]:
    salvos = [step.cells for step in game.steps if isinstance(step, ShootStep)]
    return game.layouts, salvos


def _leaves(subject: _Subject) -> str:
    subject.start()
    subject.stop()
    assert subject.wire is not None
    if subject.wire.left is None:
        raise _Warning("it did not, and was killed; exit on 'bye', and when the input ends")
    if not subject.wire.heeded:
        raise _Warning(
            "it exits when its input ends, and not on 'bye': another host may leave that open"
        )
    if subject.wire.left != "exited with code 0":
        words = last_words(subject.wire.stderr())
        raise _Warning(f"it {subject.wire.left}: {words}" if words else f"it {subject.wire.left}")
    return ""


_STEPS: tuple[tuple[str, Callable[[_Subject], str]], ...] = (
    ("starts and introduces itself", _introduces_itself),
    ("plays these rules", _plays_these_rules),
    ("writes nothing that was not asked for", partial(_begins, answers=0, seat="second")),
    ("places a legal fleet", partial(_begins, answers=0)),
    ("shoots legally", partial(_begins, answers=1)),
    ("shoots again after a report", partial(_begins, answers=2)),
    ("ignores fields that it does not know", partial(_begins, answers=2, more=True)),
    ("reads any spacing and order of fields", _reads_any_json),
    ("plays whole games in the first seat", _plays),
    ("plays whole games in the second seat", partial(_plays, seat="second")),
    ("plays whole games alone", partial(_plays, solo=True)),
    ("plays the same game for the same seed", _repeats_itself),
    ("exits when it should", _leaves),
)
_FIRST_WHOLE_GAME = 9
"""The number of the first step that an honest bot may be too slow for."""

_OF_PROGRAMS = (3, 7, 8, 13)
"""The numbers of the steps that a class cannot fail: it has neither lines nor a process."""

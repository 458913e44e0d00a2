"""Plays what a call asks for into a record, with warnings, a bar, and a way to interrupt it."""

import atexit
import contextlib
import os
import shutil
import sys
import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Protocol

import arena
import salvo
from arena.entrants import ClassEntrant, Terms
from arena.errors import UserError
from arena.isolation import AUTO, Choice, Level, choose
from arena.records import Settings
from arena.rules import Rules
from arena.schedule import Plan, Schedule
from arena.store import Look, Store, Tournament
from arena.tournament import make_plan
from salvo.conditions import Conditions, cores
from salvo.notebook.bar import make_bar, progress_bar
from salvo.notebook.record import Record
from salvo.notebook.wording import in_python
from salvo.playing import recording
from salvo.playing.entering import BotLike, Entered, Notify, enter
from salvo.playing.mishaps import describe_put_off
from salvo.playing.sequential_match import SequentialMatch
from salvo.playing.stopping import GracefulStop
from salvo.reports.how_rated import HowRated
from salvo.reports.standings.standing import Standing
from salvo.reports.tables.luck_adjustment import keep_luck
from salvo.rule_files import read_rules

RulesLike = str | os.PathLike[str] | Rules
"""A preset, the path of a TOML file, or the rules themselves."""

FollowProgress = Callable[[int, int], object]
"""Called after each block with the games done, and how many there are."""

_OURS = tuple(
    os.path.dirname(os.path.abspath(str(package.__file__)))  # noqa: PTH100, PTH120 - names of frames
    for package in (arena, salvo)
)


class Interrupted(KeyboardInterrupt):
    """Games were interrupted; those that were played are kept, and the message says where."""

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows instead of a traceback."""
        return [f"{type(self).__name__}: {self}"]


class Rated(Protocol):
    """Games to be played, and the leaderboards of what the record has of them."""

    def schedule(self) -> Schedule:
        """Return what is to be played."""
        ...

    def look(self, store: Store, tournament: Tournament) -> Look:
        """Return at which size the record is rated."""
        ...

    def standing(self, store: Store, tournament: Tournament, how: HowRated) -> Standing:
        """Return the leaderboards."""
        ...


@dataclass(frozen=True)
class _Planned:
    """Games whose number is fixed beforehand."""

    plan: Plan

    def schedule(self) -> Plan:
        return self.plan

    def look(self, _store: Store, _tournament: Tournament) -> Look:
        return Look(self.plan.pairs)

    def standing(self, store: Store, tournament: Tournament, how: HowRated) -> Standing:
        return Standing(store, tournament, self.plan, how=how, look=Look(self.plan.pairs))


@dataclass(frozen=True)
class Run:
    """The arguments that ``play``, ``match`` and ``solo`` share, which ``play`` describes."""

    rules: RulesLike
    seed: int
    workers: int | None
    isolation: str
    settings: Settings
    terms: Terms
    db: str | os.PathLike[str] | None
    tournament: str | None
    progress: FollowProgress | None
    common_layouts: bool = False

    def enter(self, bots: Sequence[BotLike], gauntlet: BotLike | None = None) -> Entered:
        """Return who plays, see ``salvo.playing.entering.enter``; what is left out is warned of.

        Raises:
            UserError: If that is impossible, or an argument is.
        """
        for name, number, least in (
            ("seed", self.seed, 0),
            ("workers", 1 if self.workers is None else self.workers, 1),
        ):
            refuse_below(name, number, least)
        conditions = self._conditions()
        with warned_of() as notify:
            for step in conditions.isolation.steps_down:
                notify(f"isolation '{conditions.isolation.level}' is used: {step}")
            entered = enter(bots, conditions, notify, gauntlet=gauntlet)
        here = [one.name for one in entered.entrants if isinstance(one, ClassEntrant)]
        if here and (self.workers or 1) > 1:
            raise UserError(
                f"workers is {self.workers}: {', '.join(here)} plays in this process, one block "
                "after another; leave workers out, or write the bot to a file and name that"
            )
        return entered

    def play(  # noqa: PLR0913 - what is played, and how much of it
        self,
        kind: str,
        entered: Entered,
        *,
        games: int,
        layouts: int,
        sprt: tuple[float, float] | None = None,
        adjusted: bool = False,
    ) -> Record:
        """Play what the record lacks, work out luck if that is asked for, and return the record.

        Raises:
            UserError: If something that was asked for is impossible.
            Interrupted: If the user interrupts it.
        """
        conditions = self._conditions()
        wanted = recording.make_tournament(kind, entered.entrants, conditions, entered.challenger)
        with ExitStack() as undone:
            db = self.db
            if db is None:
                folder = mkdtemp(prefix="salvo-")
                undone.callback(shutil.rmtree, folder, ignore_errors=True)
                db = Path(folder, "salvo.sqlite3")
            progress = _Progress(self.progress)
            try:
                with Store(Path(db), create=True) as store:
                    wanted = store.resumed(wanted)
                    plan = make_plan(wanted, games=games, layouts=layouts)
                    rated: Rated = _Planned(plan)
                    if sprt is not None:
                        first, second = entered.entrants
                        rated = SequentialMatch((first.name, second.name), sprt, plan)
                    _play(wanted, rated.schedule(), conditions, store, progress)
                    store.note_look(wanted.name, rated.look(store, wanted))
                    if adjusted:
                        keep_luck(store, wanted, conditions.workers, progress=progress_bar)
            except KeyboardInterrupt:
                if not progress.done:
                    raise Interrupted("interrupted before any games were finished") from None
                again = "the same call"
                if self.db is None:
                    atexit.register(undone.pop_all().close)
                    again += f" with db={str(db)!r}"
                raise Interrupted(
                    f"interrupted after {progress.done:,} of {progress.most:,} games, which are "
                    f"kept: {again} goes on, and salvo.open_record({str(db)!r}) shows them"
                ) from None
            record = Record(db, wanted.name, standing=rated.standing)
            weakref.finalize(record, undone.pop_all().close)
        return record

    def _conditions(self) -> Conditions:
        return Conditions(
            rules=read_rules(self.rules),
            seed=self.seed,
            workers=self.workers or cores(),
            isolation=choose_isolation(self.isolation),
            settings=self.settings,
            tournament_name=self.tournament,
            terms=self.terms,
            common_layouts=self.common_layouts,
        )


def _play(
    wanted: Tournament,
    schedule: Schedule,
    conditions: Conditions,
    store: Store,
    progress: "_Progress",
) -> None:
    """Play what the record lacks; see ``recording.play``.

    Raises:
        KeyboardInterrupt: If the user interrupted it before all was played.
    """
    with warned_of() as notify, closing(progress), GracefulStop(_announce_stop) as stop:
        left = recording.play(
            wanted, schedule, conditions, store, notify=notify, progress=progress, stop=stop
        )
        for block, why in describe_put_off(left):
            notify(f"{' and '.join(block.entrants)}: {why}")
    if stop() and progress.done < progress.most:
        raise KeyboardInterrupt


def _announce_stop() -> str:
    return "the games in play are finished first; interrupt again to stop at once"


class _Progress:
    """Passes on how many games are done, by default to a bar."""

    def __init__(self, follow: FollowProgress | None) -> None:
        self._bar = make_bar("games") if follow is None else None
        self._follow = follow or self._bar
        self.done = self.most = 0

    def __call__(self, done: int, most: int) -> None:
        assert self._follow is not None
        self.done, self.most = done, most
        self._follow(done, most)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def choose_isolation(isolation: str) -> Choice:
    """Return the level of isolation that is asked for.

    Raises:
        UserError: If there is no such level, or it does not hold here.
    """
    levels = [AUTO, *(level.value for level in Level)]
    if isolation not in levels:
        raise UserError(f"isolation is {isolation!r}; choose one of {', '.join(levels)}")
    return choose(isolation)


def refuse_below(name: str, number: int, least: int) -> None:
    """Refuse an argument that is too small.

    Raises:
        UserError: If it is.
    """
    if number < least:
        raise UserError(f"{name} is {number}; give {least} or more")


@contextlib.contextmanager
def warned_of() -> Iterator[Notify]:
    """Collect what the user should know, and warn of it afterwards, in the words of Python."""
    texts: list[str] = []
    try:
        yield texts.append
    finally:
        for text in texts:
            warnings.warn(in_python(text), UserWarning, stacklevel=_caller())


def _caller() -> int:
    """Return how many frames lie between ``warnings.warn`` and the user's own code."""
    level, frame = 1, sys._getframe(1)  # noqa: SLF001 - as `warnings` does
    while frame.f_back is not None and frame.f_code.co_filename.startswith(
        (*_OURS, contextlib.__file__)
    ):
        level, frame = level + 1, frame.f_back
    return level

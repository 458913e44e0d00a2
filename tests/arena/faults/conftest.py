"""A hall in which a faulty bot meets an honest one, and what is looked at afterwards."""

import contextlib
import gc
import os
import signal
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.errors import UserError
from arena.isolation import Level, Program, children_of, choose, own_wait_s, start
from arena.player import Fault, News, ProcessTransport, RemotePlayer, Reply
from arena.player.process_transport import LEAVE_S
from arena.protocol import End
from arena.protocol import Game as Opening
from arena.records import Fixture, Game, Settings, Termination
from arena.referee import play_game
from arena.rules import Request, Rules, Ship, view

FOLDER = Path(__file__).parent.parent / "faulty_bots"
RULES = Rules(
    name="small", rows=5, columns=5, fleet=(Ship("Cruiser", 3), Ship("Boat", 2)), shots="afloat"
)
SETTINGS = Settings(load_s=1, move_s=0.2, game_s=0.6)
LATE_S = 0.25
MORE_MEMORY_KB = 2048
MEETINGS = 3
"""How often a fault is looked at where the machine may be to blame."""

MUTE = frozenset({"silent_at_start", "spins_at_start", "never_flushes"})
"""The faulty bots that never introduce themselves."""


class Watched(RemotePlayer):
    """A bot whose calls are timed.

    Attributes:
        late_s: How much longer than its budget a call took at the most, the end of the bot
            included; what it or the arena waited for a processor is left out.
    """

    def __init__(self, name: str, level: Level) -> None:
        self.mark = f"--mark={uuid.uuid4()}"
        self.late_s = 0.0
        self._begun: tuple[float, float] = (0.0, 0.0)
        self._level = level
        self._program = program(name, self.mark)
        super().__init__(self._start, view(RULES), SETTINGS)

    def _start(self) -> ProcessTransport:
        return ProcessTransport(start(self._level, self._program))

    @property
    def pid(self) -> int | None:
        """The process, while it runs."""
        transport = self._transport
        assert transport is None or isinstance(transport, ProcessTransport)
        return None if transport is None else transport._child.pid

    def start(self) -> None:
        self._open(SETTINGS.load_s)
        super().start()

    def begin(self, game: Opening) -> None:
        self._close()
        super().begin(game)

    def ask(self, request: Request, news: News) -> Reply:
        self._open(min(SETTINGS.move_s, self._time_left_s))
        reply = super().ask(request, news)
        self._close()
        return reply

    def end(self, end: End) -> None:
        self._open(0)
        super().end(end)
        self._close()

    def stop(self, fault: Fault | None = None) -> str:
        if fault is None:
            self._open(LEAVE_S)
        waited_s = self._waited_s()  # later it is gone
        written = super().stop(fault)
        self._close(waited_s)
        return written

    def _open(self, budget_s: float) -> None:
        self._begun = (time.monotonic() + budget_s, self._waited_s())

    def _close(self, waited_s: float | None = None) -> None:
        deadline, waited_before_s = self._begun
        starved_s = (self._waited_s() if waited_s is None else waited_s) - waited_before_s
        self.late_s = max(self.late_s, time.monotonic() - deadline - max(0.0, starved_s))

    def _waited_s(self) -> float:
        times_s = self._transport.times_s() if self._transport is not None else None
        return own_wait_s() + (times_s[1] if times_s is not None else 0.0)


def program(name: str, mark: str) -> Program:
    """Return a bot of the folder as something to start, with an argument to find it again by."""
    script = FOLDER / f"{name}.py"
    argv = (sys.executable, "-P", str(script)) if script.exists() else (str(FOLDER / name),)
    return Program(
        argv=(*argv, mark),
        folder=str(FOLDER),
        files=(str(FOLDER),),
        import_folder=str(FOLDER),
        memory_mb=256,
    )


_GREW = "the arena's memory grew by"
_LATE = "s longer than it may"


class Outcome(NamedTuple):
    """What came of a fault: the game, whatever harm was done, and the processes that it left."""

    game: Game
    harm: list[str]
    left: list[str]


def _in_doubt(name: str, outcome: Outcome) -> bool:
    """Return whether a busy machine can have brought about what came of a fault."""
    slow = outcome.game.termination is Termination.UNSTARTED and "to load" in outcome.game.reason
    strained = any(_GREW in harm or harm.endswith(_LATE) for harm in outcome.harm)
    return strained or (slow and name not in MUTE)


class Hall:
    """Two honest bots that wait for a faulty one, at one level of isolation."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.honest = Watched("honest", level)
        self.third = Watched("honest", level)
        self._warm = False

    def settle(self) -> None:
        """Have both honest bots ready; a harm done to one is not to be seen twice."""
        for player in (self.honest, self.third):
            pid = player.pid
            if pid is not None and not _runs(pid):
                player.stop()
            player.start()
        if not self._warm:
            self._play(self.honest, self.third)
            self._warm = True

    def meet(self, name: str) -> Outcome:
        """Play against a faulty bot, then without it, and look what has changed.

        A busy machine is late now and then, and a process that runs tests grows by itself; what a
        bot does recurs. So what may be the machine's doing is looked at again.
        """
        for _ in range(MEETINGS - 1):
            outcome = self._meet_once(name)
            if not _in_doubt(name, outcome):
                return outcome
        return self._meet_once(name)

    def _meet_once(self, name: str) -> Outcome:
        self.settle()
        faulty = Watched(name, self.level)
        pids = (self.honest.pid, self.third.pid)
        own_wait_s()  # a thread keeps the descriptor that this opens
        children, descriptors = set(children_of(os.getpid())), _descriptors()
        before_kb = _reset_peak_kb()
        self.honest.late_s = 0.0
        game = self._play(faulty, self.honest)
        faulty.stop()
        harm = []
        if faulty.late_s > LATE_S:
            harm.append(f"it took {faulty.late_s:.3f} {_LATE}")
        if self.honest.late_s > LATE_S:
            harm.append(f"the other took {self.honest.late_s:.3f} {_LATE}")
        grown_kb = _peak_kb() - before_kb
        if grown_kb > MORE_MEMORY_KB:
            harm.append(f"{_GREW} {grown_kb} KB")
        left = _end_marked(faulty.mark)
        # Fewer than before is no harm: what an earlier fault left behind may end at any moment.
        if not children.issuperset(children_of(os.getpid())):
            harm.append("the arena has children that it had not before")
        if leaked := _descriptors() - descriptors:
            harm.append(f"descriptors were left open: {sorted(leaked)}")
        following = self._play(self.honest, self.third)
        if following.termination is not Termination.SUNK:
            harm.append(f"the next game ended by {following.termination}: {following.reason}")
        if (self.honest.pid, self.third.pid) != pids:
            harm.append("an honest bot has another process than before")
        return Outcome(game, harm, left)

    def _play(self, first: Watched, second: Watched) -> Game:
        first.sit_with([second])
        second.sit_with([first])
        fixture = Fixture("game", "first", "second", 0, (1, 2))
        return play_game(fixture, RULES, SETTINGS, {"first": first, "second": second})

    def close(self) -> None:
        """End the honest bots."""
        self.honest.stop()
        self.third.stop()


LEVELS = [
    pytest.param(level, marks=pytest.mark.long("every fault at this level too"))
    if level in (Level.LIMITS, Level.LITE)
    else level
    for level in Level
]


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest) -> Level:
    level: Level = request.param
    need(level)
    return level


def need(level: Level) -> None:
    """Skip the test where a level is not available."""
    try:
        choose(level.value)
    except UserError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def meet() -> Iterator[Callable[[Level, str], Outcome]]:
    """Return what plays against a faulty bot at a level, once for all tests."""
    halls: dict[Level, Hall] = {}

    @cache
    def meet_in_hall(level: Level, fault: str) -> Outcome:
        need(level)
        if level not in halls:
            halls[level] = Hall(level)
        return halls[level].meet(fault)

    yield meet_in_hall
    for hall in halls.values():
        hall.close()


def _descriptors() -> set[str]:
    folder = Path("/proc/self/fd")
    # The last one is that of the listing itself.
    return {path.name for path in folder.iterdir() if path.exists()} if folder.exists() else set()


def _runs(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return bool(Path(f"/proc/{pid}/exe").readlink())
    return False


def _end_marked(mark: str) -> list[str]:
    """End the processes whose command has a mark, and tell which there were."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            command = Path(folder, "cmdline").read_bytes()
        except OSError:
            continue
        if mark.encode() in command:
            found.append(command.replace(b"\0", b" ").decode(errors="replace"))
            os.kill(int(folder.name), signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(int(folder.name), 0)
    return found


def _reset_peak_kb() -> int:
    """Let the peak of the memory be what is used now, and return it."""
    gc.collect()
    if Path("/proc/self/clear_refs").exists():
        Path("/proc/self/clear_refs").write_text("5")
    return _peak_kb()


def _peak_kb() -> int:
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    (peak,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
    return int(peak.split()[1])

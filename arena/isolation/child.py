"""Watches a bot's process: its pipes, its clock, its end, and the processes it leaves behind."""

import contextlib
import os
import resource
import select
import signal
import subprocess
import time

from msgspec import Struct

from arena.isolation.clock import RunQueue
from arena.isolation.memory_use import (
    allowance_mb,
    family,
    folder_kb,
    out_of_memory_kills,
    used_mb,
)
from arena.isolation.network import Outlet
from arena.isolation.orphans import children_of, sweep
from arena.isolation.slots import Slot
from arena.isolation.temporary import SHARED

BOX_ENDS_S = 1.0
"""How long a box may take to end before its outer process is killed too."""

_SIGNALLED = 128
"""What boxes and shells add to a signal's number to form the exit code of a killed process."""
_SIGNALS = set(signal.Signals)


class Origin(Struct, frozen=True):
    """The circumstances in which a child was started.

    Attributes:
        slot: Its own uid, if it has one.
        out_of_memory_kills: How many processes the kernel had killed for lack of memory before.
        memory_mb: How much memory its processes may use together; None for any amount.
        processes: Whether it may start processes; in a box these are a session of their own, and
            may kill one another.
        shares: Whether its box has a folder in memory, as large as all its memory.
    """

    mark: str
    slot: Slot | None
    boxed: bool
    out_of_memory_kills: int | None
    memory_mb: int | None
    processes: bool
    shares: bool


class Child:
    """A running bot; its descriptors ``stdin``, ``stdout`` and ``stderr`` do not block.

    Attributes:
        pid: The id of the started process, of its group and of its session; in a box this is the
            box's outer process, see ``bot_pid``.
        pidfd: A descriptor that polls readable when the process has ended; -1 where the system
            has no pidfds.
    """

    _living: set[int] = set()  # noqa: RUF012 - shared, so that a sweep spares the other bots

    def __init__(
        self, process: "subprocess.Popen[bytes]", origin: Origin, outlet: Outlet | None = None
    ) -> None:
        pipes = [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe]
        self._stdin, self._stdout, self._stderr = pipes
        self._process = process
        self._origin = origin
        self._outlet = outlet
        self._bot_pid = 0 if origin.boxed else process.pid
        self._first_pid = 0
        self._clock: RunQueue | None = None
        self._has_clock = True
        self._ran_out_of_memory: bool | None = None
        self.pid = process.pid
        self.stdin, self.stdout, self.stderr = (pipe.fileno() for pipe in pipes)
        for pipe in pipes:
            os.set_blocking(pipe.fileno(), False)
        self.pidfd = os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else -1
        self._living.add(self.pid)

    @property
    def bot_pid(self) -> int | None:
        """The id of the bot's own process; None while its box is being built or is not visible."""
        if not self._bot_pid and self._process.returncode is None:
            # The outer process starts the box's first process, which starts the bot.
            first = self._first()
            self._bot_pid = next(iter(children_of(first)), 0) if first else 0
        return self._bot_pid or None

    def _first(self) -> int:
        """Return the id of the box's first process; 0 while there is none."""
        if not self._first_pid and self._process.returncode is None:
            self._first_pid = next(iter(children_of(self.pid)), 0)
        return self._first_pid

    def times_s(self) -> tuple[float, float] | None:
        """Return how long the bot ran, and how long it was runnable but waited for a processor.

        Both are in seconds since it started: the run time summed over its threads, the wait that
        of the thread that waited longest. None if the kernel does not report them or the bot has
        ended. Processes that the bot started itself are not counted: see ``alone``.
        """
        if self._clock is None and self._has_clock:
            pid = self.bot_pid
            if pid is None:
                return None
            self._clock = RunQueue.open(pid)
            self._has_clock = self._clock is not None
        if self._clock is None:
            return None
        ran_s, waited_s = self._clock.cpu_s(), self._clock.wait_s()
        return None if ran_s is None or waited_s is None else (ran_s, waited_s)

    def runnable(self) -> bool:
        """Return whether the bot runs or waits for a processor; False if that is not known."""
        return self._clock is not None and self._clock.runnable()

    def waiting_since(self) -> float | None:
        """Return since when the bot may have been waiting for a processor; see ``RunQueue``."""
        return self._clock.waiting_since() if self._clock is not None else None

    def alone(self) -> bool:
        """Return whether the bot is a single process, so that ``times_s`` covers all of it.

        One that may start processes never counts as alone: those that end before this is asked
        leave no trace that it could not hide.
        """
        bot = self.bot_pid
        if self._origin.processes or bot is None or children_of(bot):
            return False
        # Any other process in the box is a child of the box's first process by now.
        firsts = children_of(self.pid) if self._origin.boxed else []
        return all(children_of(first) == [bot] for first in firsts)

    def exceeded_mb(self) -> int | None:
        """Return the memory that the bot may use, in megabytes, if it uses more; None if not."""
        bot, most_mb = self.bot_pid, self._origin.memory_mb
        if bot is None or most_mb is None:
            return None
        # In a box what its processes leave behind are children of the box's first process.
        firsts = children_of(self.pid) if self._origin.boxed else []
        allowed_mb = allowance_mb(most_mb)
        pids = [pid for first in firsts or [bot] for pid in family(first)]
        files_kb = None
        if self._origin.shares and firsts:
            # The box's first process is not the bot's own, which might hide where it is.
            files_kb = folder_kb(f"/proc/{firsts[0]}/root{SHARED}", most_mb)
        # What shares memory takes long to tell, and matters to few.
        return most_mb if used_mb(pids, allowed_mb // 2, files_kb) > allowed_mb else None

    def pause(self) -> None:
        """Stop the bot and what it started, so that it cannot compute until ``resume``."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let the bot run on after ``pause``."""
        self._signal(signal.SIGCONT)

    def was_killed(self) -> bool:
        """Return whether the process was killed by SIGKILL from outside, not by its own doing.

        This is a best guess: without a seccomp filter a bot can send itself the signal, and a
        daemon that kills processes when memory runs short looks like a person who does. Kills by
        the kernel for lack of memory, or by a limit on processor time (``ulimit -t``), count as
        the bot's own doing; so do all kills in the box of a bot that may start processes, which may
        kill one another.
        """
        if self._code() != -signal.SIGKILL or self._ran_out_of_memory:
            return False
        if self._of_processes_in_box() and self._process.returncode != -signal.SIGKILL:
            return False
        return resource.getrlimit(resource.RLIMIT_CPU)[1] == resource.RLIM_INFINITY

    def _code(self) -> int | None:
        """Return the exit code, negative for the number of a signal; None while it runs."""
        code = self._process.poll()
        if code is None:
            return None
        if self._origin.boxed and code - _SIGNALLED in _SIGNALS:
            code = _SIGNALLED - code
        if self._ran_out_of_memory is None:
            # Compare once, as soon as the end is noticed: later kills concern other processes.
            self._ran_out_of_memory = (
                code == -signal.SIGKILL
                and out_of_memory_kills() != self._origin.out_of_memory_kills
            )
        return code

    def status(self) -> str | None:
        """Return how the process ended, in words, or None while it runs."""
        code = self._code()
        if code is None:
            return None
        if self._ran_out_of_memory:
            return "was killed because the system ran out of memory"
        with contextlib.suppress(ValueError):  # it is the number of no signal
            return f"was killed by {signal.Signals(-code).name}"
        return f"exited with code {abs(code)}"

    def close_stdin(self) -> None:
        """Close the bot's input, so that it exits."""
        # Closing flushes, which fails if the bot is gone; that no longer matters here.
        with contextlib.suppress(OSError):
            self._stdin.close()

    def close_stderr(self) -> None:
        """Close the arena's end of the bot's stderr."""
        self._stderr.close()

    def wait(self, grace_s: float) -> None:
        """Wait for the process to end by itself, at most ``grace_s`` seconds."""
        if self.pidfd >= 0:
            select.select([self.pidfd], [], [], grace_s)
        else:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(grace_s)

    def settle(self, step_s: float, most_s: float) -> None:
        """Wait for a process that may be ending, until it sleeps or has ended.

        On a busy machine an exit takes its time: it may run for ``most_s`` meanwhile, and ten times
        as long may pass, looked at every ``step_s``. Where the kernel does not account for waits,
        one step is all.
        """
        before = self.times_s()
        until = time.monotonic() + 10 * most_s
        self.wait(step_s)
        while before and self._clock and self._code() is None and time.monotonic() < until:
            ran_s = self._clock.cpu_s()
            if self._clock.asleep() or (ran_s is not None and ran_s - before[0] > most_s):
                break
            self.wait(step_s)

    def kill(self) -> None:
        """Kill the process and all it started, reap them, and close every descriptor."""
        # Its id cannot be reused before it is reaped.
        if self._process.returncode is None:
            if self._origin.boxed:
                self._end_box()
            self._signal(signal.SIGKILL)
            self._process.kill()
            self._process.wait()
        if self.pid in self._living:
            self._living.discard(self.pid)
            slot = self._origin.slot
            sweep(self._groups(), self._origin.mark, slot.uid if slot else None, self._living)
        self._close()

    def _end_box(self) -> None:
        """Kill a box from inside: its outer process ends last, after all the others.

        The bot is killed first: the box's first process then takes note of the processor time that
        it used, which the kernel counts nowhere for processes that end with their box.
        """
        first = self._first()
        for inside in (children_of(first), [first]) if first else ():
            if self._process.poll() is not None:
                return
            for pid in inside:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            self.resume()
            self.wait(BOX_ENDS_S)

    def _of_processes_in_box(self) -> bool:
        return self._origin.boxed and self._origin.processes

    def _signal(self, number: signal.Signals) -> None:
        # Once the process is reaped, its id and its group may belong to another.
        if self._process.returncode is None:
            for group in self._groups():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(group, number)

    def _groups(self) -> list[int]:
        """Return the process groups of a bot and its box, which none of its processes can leave."""
        if not self._of_processes_in_box():
            return [self.pid]
        # The box's first process leads their group. Until it is reaped, its id is its own.
        return [self.pid, self._first()] if self._first() else [self.pid]

    def _close(self) -> None:
        self.close_stdin()
        self.close_stderr()
        self._stdout.close()
        if self._clock is not None:
            self._clock.close()
            self._clock = None
        self._has_clock = False
        if self.pidfd >= 0:
            os.close(self.pidfd)
            self.pidfd = -1
        if self._outlet is not None:
            self._outlet.close()
        if self._origin.slot is not None:
            self._origin.slot.close()

"""A bot's process: its pipes, its clock, its end, and what it leaves behind."""

import contextlib
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence

from msgspec import Struct

from arena.isolation.clock import RunQueue
from arena.isolation.orphans import MARK, Mark, adopt_orphans, children_of, end_abandoned, sweep
from arena.isolation.program import Program, environment
from arena.isolation.shortage import out_of_memory_kills
from arena.isolation.slots import Slot

if sys.platform != "win32":
    import resource

__all__ = ["Child", "spawn"]

BOX_ENDS_S = 1.0
"""How long the end of a box may take before its outer process is ended too."""

_SIGNALLED = 128
"""What a box and a shell add to the number of the signal that a process died of."""
_SIGNALS = set(signal.Signals)


class _Birth(Struct, frozen=True):
    """How a child came to be.

    Attributes:
        mark: What its processes carry.
        slot: The uid that is its alone, if any.
        boxed: Whether it is in a box.
        out_of_memory_kills: How many processes the kernel had ended for want of memory.
    """

    mark: str
    slot: Slot | None
    boxed: bool
    out_of_memory_kills: int | None


class Child:
    """A running bot.

    Attributes:
        pid: The id of the process that was started, of its group and of its session; in a box it
            is the box's outer process, see ``bot_pid``.
        stdin: The descriptor to write to, non-blocking.
        stdout: The descriptor to read from, non-blocking.
        stderr: The descriptor to read from, non-blocking.
        pidfd: A descriptor that polls readable when the process has ended; -1 where the system
            has none.
    """

    _living: set[int] = set()  # noqa: RUF012 - of this process, so that a sweep spares its siblings

    def __init__(self, process: "subprocess.Popen[bytes]", birth: _Birth) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._birth = birth
        self._bot_pid = 0 if birth.boxed else process.pid
        self._clock: RunQueue | None = None
        self._has_clock = True
        self._ran_out_of_memory: bool | None = None
        self.pid = process.pid
        self.stdin = process.stdin.fileno()
        self.stdout = process.stdout.fileno()
        self.stderr = process.stderr.fileno()
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self.pidfd = os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else -1
        self._living.add(self.pid)

    @property
    def bot_pid(self) -> int | None:
        """The id of the bot's own process; None while its box is being built, or cannot be seen."""
        if not self._bot_pid and self._process.returncode is None:
            # The outer process starts the box's first, and that the bot.
            for first in children_of(self.pid)[:1]:
                for bot in children_of(first)[:1]:
                    self._bot_pid = bot
        return self._bot_pid or None

    def times_s(self) -> tuple[float, float] | None:
        """Return how long the bot ran, and how long it was ready to and waited for a processor.

        Both in seconds since it started, the first summed over its threads, the second of the
        thread that waited longest; None where the kernel does not tell, or no longer. Processes
        that the bot started itself are not counted: see ``alone``.
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

    def alone(self) -> bool:
        """Tell whether the bot is one process, so that its times are all there is to know."""
        bot = self.bot_pid
        if bot is None or children_of(bot):
            return False
        # What else a box holds was handed to its first process, or started by it.
        firsts = children_of(self.pid) if self._birth.boxed else []
        return all(children_of(first) == [bot] for first in firsts)

    def pause(self) -> None:
        """Stop the bot and what it started, so that it computes nothing until ``resume``."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let the bot run on after ``pause``."""
        self._signal(signal.SIGCONT)

    def was_killed(self) -> bool:
        """Tell whether the process was ended by SIGKILL, and not for what it did itself.

        As far as can be told: at a level without a filter a bot can send itself the signal, and
        a program that ends processes when memory runs short does it from outside, as a person
        would. A kill by the kernel for want of memory, or where processor time is limited
        (``ulimit -t``), is for what the bot used.
        """
        if self._code() != -signal.SIGKILL or self._ran_out_of_memory:
            return False
        return resource.getrlimit(resource.RLIMIT_CPU)[1] == resource.RLIM_INFINITY

    def _code(self) -> int | None:
        """Return the exit code, that of a signal as its negative number; None while it runs."""
        code = self._process.poll()
        if code is None:
            return None
        if self._birth.boxed and code - _SIGNALLED in _SIGNALS:
            code = _SIGNALLED - code
        if self._ran_out_of_memory is None:
            # Asked once, when the end is first seen: what is ended later is another's affair.
            self._ran_out_of_memory = (
                code == -signal.SIGKILL and out_of_memory_kills() != self._birth.out_of_memory_kills
            )
        return code

    def status(self) -> str | None:
        """Return how the process ended, in words, or None while it runs."""
        code = self._code()
        if code is None:
            return None
        if self._ran_out_of_memory:
            return "was killed for its memory: the system had no more"
        if code < 0:
            with contextlib.suppress(ValueError):
                return f"was killed by {signal.Signals(-code).name}"
        return f"exited with code {abs(code)}"

    def close_stdin(self) -> None:
        """Close the bot's input, which tells it to leave."""
        assert self._process.stdin is not None
        # Closing flushes; a bot that is gone cannot be flushed to, and that is no fault now.
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def close_stderr(self) -> None:
        """Close the arena's end of the bot's stderr."""
        assert self._process.stderr is not None
        self._process.stderr.close()

    def wait(self, grace_s: float) -> None:
        """Wait for the process to end by itself, ``grace_s`` seconds at the most."""
        if self.pidfd >= 0:
            select.select([self.pidfd], [], [], grace_s)
        else:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(grace_s)

    def kill(self) -> None:
        """End the process and all it started, reap them, close every descriptor."""
        # Until it is reaped its id cannot be taken by another process.
        if self._process.returncode is None:
            if self._birth.boxed:
                self._end_box()
            self._signal(signal.SIGKILL)
            self._process.kill()
            self._process.wait()
        if self.pid in self._living:
            self._living.discard(self.pid)
            slot = self._birth.slot
            sweep(self.pid, self._birth.mark, slot.uid if slot else None, self._living)
        self._close()

    def _end_box(self) -> None:
        """End a box from within: its outer process goes last, when all the others are gone."""
        for first in children_of(self.pid)[:1]:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(first, signal.SIGKILL)
            self.resume()
            self.wait(BOX_ENDS_S)

    def _signal(self, number: signal.Signals) -> None:
        # A process that was reaped has no group of its own, and its id may be another's.
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)

    def _close(self) -> None:
        self.close_stdin()
        self.close_stderr()
        assert self._process.stdout is not None
        self._process.stdout.close()
        if self._clock is not None:
            self._clock.close()
            self._clock = None
        self._has_clock = False
        if self.pidfd >= 0:
            os.close(self.pidfd)
            self.pidfd = -1
        if self._birth.slot is not None:
            self._birth.slot.close()


def spawn(
    argv: Sequence[str],
    program: Program,
    *,
    confine: Callable[[], None] | None = None,
    slot: Slot | None = None,
    box: Sequence[int] | None = None,
) -> Child:
    """Start a program with pipes, a clean environment and a session of its own.

    Args:
        argv: The command, the program's own or one that wraps it.
        program: What is started.
        confine: Run in the new process just before the program is. It is only safe in a process
            with one thread, which is why bots are started from workers that have no other.
        slot: The uid that the bot has alone; it is given back with the child's end.
        box: The descriptors that the box reads, if the command is a box.

    Raises:
        OSError: If the program cannot be started.
    """
    end_abandoned()
    adopt_orphans()
    mark = str(Mark.new())
    birth = _Birth(mark, slot, box is not None, out_of_memory_kills())
    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            # A box has the folder inside; outside it may be one that is not to be entered.
            cwd=program.folder if box is None else "/",
            env={**environment(program), MARK: mark},
            start_new_session=True,
            pass_fds=box or (),
            preexec_fn=confine,  # noqa: PLW1509 - see above
        )
    except subprocess.SubprocessError as error:
        raise OSError(f"the bot's process could not be confined: {error}") from error
    return Child(process, birth)

"""Exchanges lines with a bot's process, each before an absolute deadline.

The deadline is on the monotonic clock and covers both writing and reading; nothing that a bot sends
extends it. Lines have a maximum length, stderr is drained, its tail kept and all of it passed to a
log, and the process's end is noticed through its pidfd where the system has one. While the arena
waits, it looks at the memory that the bot uses.
"""

import math
import os
import select
import time
from collections.abc import Mapping
from typing import Protocol

from arena.isolation import Child
from arena.player.ending import last_words
from arena.player.masking import NOTHING, Masking
from arena.player.messages import line_too_long
from arena.player.player import Fault, Killed
from arena.player.stderr_log import TAIL_BYTES, Log
from arena.protocol import MAX_LINE_BYTES
from arena.records import Termination

READ_BYTES = 65_536
STDERR_DRAINED_BYTES = 1_048_576
"""After this much for one request the arena closes the pipe, and a bot that writes on is killed."""

LEAVE_S = 0.25
"""How long a bot may take to exit after ``bye`` before it is killed."""

LOOK_S = 0.1
"""How often to look at the memory that a bot uses."""

EXIT_STEP_S = 0.05
EXIT_SETTLES_S = 1.0
"""How long a process that closed its output may run on before its exit status is given up."""


class Transport(Protocol):
    """A way to exchange lines with a bot."""

    def send(self, line: bytes, deadline: float) -> None:
        """Send a line.

        Raises:
            Fault: If it cannot be written by ``deadline`` (monotonic seconds), or the bot has
                closed its input.
        """

    def receive(self, deadline: float) -> bytes | None:
        """Return the next line with its newline, or None if there is none by ``deadline``.

        Raises:
            Fault: If it is too long, or the bot has ended or uses more memory than it may.
        """

    def pause(self) -> None:
        """Stop the bot until ``resume``."""

    def resume(self) -> None:
        """Let the bot continue after ``pause``."""

    def times_s(self) -> tuple[float, float] | None:
        """Return how long the bot ran and waited for a processor so far, if known."""

    def alone(self) -> bool:
        """Return whether ``times_s`` covers all of the bot: it has, and may have, no processes."""

    def waiting_since(self) -> float | None:
        """Return since when the bot may have been waiting for a processor, in monotonic seconds.

        This is as of the last call of ``times_s``, which does not cover that wait. None if the bot
        is known not to wait.
        """

    def stderr(self) -> str:
        """Return the end of what the bot has written to stderr so far; also after ``close``."""

    def close(self, *, grace_s: float) -> None:
        """End the bot, giving it ``grace_s`` seconds to exit by itself."""


class ProcessTransport:
    """The lines of a child process.

    ``log`` takes all that it writes to stderr; ``masking`` says what is read in place of what.
    """

    def __init__(self, child: Child, log: Log | None = None, masking: Masking = NOTHING) -> None:
        self._child = child
        self._log = log
        self._masking = masking
        self._heard = masking.stream()
        self._buffer = b""
        self._stderr = b""
        self._stderr_left = STDERR_DRAINED_BYTES
        self._listening = True
        self._looks_at = time.monotonic() + LOOK_S
        self._poll = select.poll()
        self._poll.register(child.stdout, select.POLLIN)
        self._poll.register(child.stderr, select.POLLIN)
        self._wrote = [(child.stdout, select.POLLIN)]
        if child.pidfd >= 0:
            self._poll.register(child.pidfd, select.POLLIN)
        # Called every turn; bound directly to save a call.
        self.pause = child.pause
        self.resume = child.resume
        self.times_s = child.times_s
        self.alone = child.alone
        self.waiting_since = child.waiting_since

    def send(self, line: bytes, deadline: float) -> None:
        """Send a line; see ``Transport``."""
        self._stderr_left = STDERR_DRAINED_BYTES
        try:
            sent = os.write(self._child.stdin, line)
        except BlockingIOError:
            sent = 0
        except OSError:
            raise self._ended("closed its input") from None
        while sent < len(line):
            sent += self._send_slowly(line[sent:], deadline)

    def _send_slowly(self, data: bytes, deadline: float) -> int:
        """Wait until the pipe has room and write to it, draining stderr meanwhile."""
        self._child.resume()  # a paused bot does not read
        writable = select.poll()
        writable.register(self._child.stdin, select.POLLOUT)
        if self._listening:
            writable.register(self._child.stderr, select.POLLIN)
        events = dict(writable.poll(max(0, math.ceil((deadline - time.monotonic()) * 1000))))
        # Check the clock as well: while a bot floods stderr, poll never times out.
        if self._child.stdin not in events and time.monotonic() >= deadline:
            raise Fault(Termination.TIMEOUT, "did not read what it was sent in time")
        if self._listening and self._child.stderr in events:
            self._drain_stderr()
        try:
            return os.write(self._child.stdin, data)
        except BlockingIOError:
            return 0
        except OSError:
            raise self._ended("closed its input") from None

    def receive(self, deadline: float) -> bytes | None:
        """Return the next line; see ``Transport``."""
        while True:
            if self._buffer:
                line = self._take_line()
                if line is not None:
                    return line
            ready = self._wait(deadline)
            # Fast path: it wrote exactly one whole line, and nothing else happened.
            if ready == self._wrote and not self._buffer and not self._masking.in_answers:
                data = self._read()
                if data.find(b"\n") == len(data) - 1 < MAX_LINE_BYTES:
                    return data
                self._buffer = data
            elif ready:
                self._take_in(dict(ready))
            else:
                # Without a pidfd, ask whether the process has ended.
                if self._child.pidfd < 0 and self._child.status() is not None:
                    raise self._ended("ended")
                return None
            if time.monotonic() >= deadline and b"\n" not in self._buffer:
                return None

    def _wait(self, deadline: float) -> list[tuple[int, int]]:
        """Return what is ready, as ``poll`` does; nothing if nothing is by ``deadline``."""
        while True:
            now = time.monotonic()
            if now >= self._looks_at:
                most_mb = self._child.exceeded_mb()
                if most_mb is not None:
                    raise Fault(
                        Termination.EXITED,
                        "was ended, since its processes together use more than "
                        f"{most_mb} MB of memory; ask for more with memory_mb in its TOML",
                    )
                now = time.monotonic()
                self._looks_at = now + LOOK_S
            until = min(deadline, self._looks_at)
            events = self._poll.poll(max(0, math.ceil((until - now) * 1000)))
            if events or deadline <= self._looks_at:
                return events

    def _take_in(self, ready: Mapping[int, int]) -> None:
        child = self._child
        if child.stdout in ready or child.pidfd in ready:
            self._buffer += self._read()
        if child.stderr in ready and self._listening:
            self._drain_stderr()

    def _read(self) -> bytes:
        try:
            data = os.read(self._child.stdout, READ_BYTES)
        except BlockingIOError:
            # Its process is gone, but an orphan of it holds the pipe open.
            raise self._ended("ended") from None
        if not data:
            raise self._ended("closed its output")
        return data

    def _take_line(self) -> bytes | None:
        end = self._buffer.find(b"\n") + 1
        if end > MAX_LINE_BYTES or (not end and len(self._buffer) >= MAX_LINE_BYTES):
            raise line_too_long()
        if not end:
            return None
        line, self._buffer = self._buffer[:end], self._buffer[end:]
        return self._masking.answer(line)

    def stderr(self) -> str:
        """Return the end of what the bot wrote to stderr; see ``Transport``."""
        while self._listening and self._drain_stderr():
            pass
        return (self._stderr + self._heard.held())[-TAIL_BYTES:].decode("utf-8", "replace")

    def close(self, *, grace_s: float) -> None:
        """Kill the process and what it started; see ``Transport``."""
        self._child.close_stdin()
        if grace_s > 0:
            self._child.resume()
            self._child.wait(grace_s)
        try:
            self.stderr()
            if self._log is not None:
                self._log.write(self._heard.held())
                self._log.close()
        finally:
            self._listening = False
            self._child.kill()

    def _drain_stderr(self) -> int:
        """Read what stderr holds; return the number of bytes."""
        try:
            data = os.read(self._child.stderr, READ_BYTES)
        except BlockingIOError:
            return 0
        told = self._heard.more(data)
        self._stderr = (self._stderr + told)[-TAIL_BYTES:]
        if self._log is not None:
            self._log.write(told)
        self._stderr_left -= len(data)
        if not data or self._stderr_left <= 0:
            self._listening = False
            self._poll.unregister(self._child.stderr)
            self._child.close_stderr()
        return len(data)

    def _ended(self, otherwise: str) -> Fault:
        self._child.resume()
        self._child.settle(EXIT_STEP_S, EXIT_SETTLES_S)
        status = self._child.status() or otherwise
        words = last_words(self.stderr())
        kind = Killed if self._child.was_killed() else Fault
        return kind(Termination.EXITED, f"{status}: {words}" if words else status)

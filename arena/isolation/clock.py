"""Reads how long a bot ran, and how long it waited for a processor, as the kernel accounts it."""

import contextlib
import math
import os
import threading
import time
from collections.abc import Iterator
from typing import Self

_ENTRIES_BESIDE_THREADS = 2
_READ_BYTES = 128


class _ThreadWait:
    """The wait of the thread that makes this, from a descriptor: to open it each time takes longer.

    Raises:
        OSError: If the kernel does not account for it.
    """

    def __init__(self, thread: int) -> None:
        self.thread = thread
        self._descriptor = os.open("/proc/thread-self/schedstat", os.O_RDONLY)

    def __del__(self) -> None:
        if hasattr(self, "_descriptor"):
            os.close(self._descriptor)

    def wait_s(self) -> float:
        return int(os.pread(self._descriptor, _READ_BYTES, 0).split()[1]) / 1e9


_own = threading.local()


def own_wait_s() -> float:
    """Return the seconds that this thread has waited for a processor; 0 if that is not known."""
    thread = threading.get_native_id()
    with contextlib.suppress(OSError):
        wait: _ThreadWait | None = getattr(_own, "wait", None)
        if wait is None or wait.thread != thread:  # the second in a process that was forked
            wait = _own.wait = _ThreadWait(thread)
        return wait.wait_s()
    return 0.0


class RunQueue:
    """The run-queue wait of one process, read from descriptors that are kept open.

    With several threads, only the longest wait since the last call counts: threads wait at the
    same time and for one another, so a sum would let a bot gain time by starting more of them.
    A call costs two system calls while the set of threads stays the same.
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._folder = os.open(f"/proc/{pid}/task", os.O_RDONLY | os.O_DIRECTORY)
        self._threads: dict[str, int] = {}
        self._seen: dict[str, bytes] = {}
        self._waits_ns: dict[str, int] = {}
        self._waited_ns = 0
        self._read_at = -math.inf
        self._still_since: dict[str, float] = {}

    @classmethod
    def open(cls, pid: int) -> Self | None:
        """Return the clock of a process, or None where the kernel does not account for waits."""
        with contextlib.suppress(OSError):
            clock = cls(pid)
            if clock.wait_s() is not None:
                return clock
            clock.close()
        return None

    def wait_s(self) -> float | None:
        """Return the seconds waited since the process began, or None if it has ended."""
        before_ns = dict(self._waits_ns)
        try:
            if os.fstat(self._folder).st_nlink - _ENTRIES_BESIDE_THREADS != len(self._threads):
                self._look_for_threads()
            try:
                self._read()
            except ProcessLookupError:
                self._look_for_threads()
                self._read()
        except OSError:
            return None
        grown_ns = [ns - before_ns.get(thread, 0) for thread, ns in self._waits_ns.items()]
        self._waited_ns += max(grown_ns, default=0)
        return self._waited_ns / 1e9 if self._threads else None

    def cpu_s(self) -> float | None:
        """Return the seconds that its threads ran since it began, or None if it has ended."""
        try:
            # The id of another process's CPU clock, as in clock_getcpuclockid(3).
            return time.clock_gettime(~self.pid << 3 | 2)
        except OSError:
            return None

    def waiting_since(self) -> float | None:
        """Return since when a thread may have been waiting for a processor at the last reading.

        The kernel reports a wait once it has ended, so this is the reading of ``wait_s`` after
        which the thread has last run, in monotonic seconds, or minus infinity if it has not run
        since the first. None if no thread is runnable.
        """
        return min((self._still_since[thread] for thread in self._runnable()), default=None)

    def runnable(self) -> bool:
        """Return whether a thread of it runs or waits for a processor."""
        return any(True for _ in self._runnable())

    def _runnable(self) -> Iterator[str]:
        return (thread for thread in self._threads if self._state(thread) == "R")

    def asleep(self) -> bool:
        """Return whether every thread of it sleeps, so that none is about to exit."""
        return all(self._state(thread) == "S" for thread in self._threads)

    def _state(self, thread: str) -> str:
        """Return a thread's state as one letter, see proc(5), or nothing if it has ended."""
        with contextlib.suppress(OSError):
            file = os.open(f"{thread}/stat", os.O_RDONLY, dir_fd=self._folder)
            try:
                # The name of the program, in brackets, may itself hold brackets and spaces.
                return os.read(file, _READ_BYTES).rpartition(b")")[2].split()[0].decode()
            finally:
                os.close(file)
        return ""

    def close(self) -> None:
        """Close the descriptors."""
        for descriptor in (*self._threads.values(), self._folder):
            os.close(descriptor)
        self._threads = {}

    def _read(self) -> None:
        for thread, descriptor in self._threads.items():
            seen = os.pread(descriptor, _READ_BYTES, 0)
            if seen != self._seen.get(thread):
                self._seen[thread] = seen
                self._waits_ns[thread] = int(seen.split()[1])
                self._still_since[thread] = self._read_at
        self._read_at = time.monotonic()

    def _look_for_threads(self) -> None:
        found = os.listdir(self._folder)  # noqa: PTH208 - by descriptor
        for thread in self._threads.keys() - found:
            os.close(self._threads.pop(thread))
            for noted in (self._seen, self._waits_ns, self._still_since):
                noted.pop(thread, None)
        for thread in found:
            if thread not in self._threads:
                with contextlib.suppress(FileNotFoundError):
                    self._threads[thread] = os.open(
                        f"{thread}/schedstat", os.O_RDONLY, dir_fd=self._folder
                    )

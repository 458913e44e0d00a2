"""A worker process: plays the blocks it is handed, and leaves nothing behind when it ends."""

import contextlib
import logging
import multiprocessing
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any

from msgspec import Struct

from arena.errors import UserError
from arena.executors.interface import Play, WorkerError
from arena.isolation import die_with_parent
from arena.records import Block, BlockRecord

__all__ = ["Task", "Worker"]

LEAVE_S = 10.0
"""How long a worker may take to end its bots before it is killed."""

LOOK_UP_S = 1.0
"""How often a worker looks whether its parent is still there, where no signal tells it."""

_SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


class Task(Struct, frozen=True):
    """What a worker needs beside its blocks.

    Attributes:
        play: Plays a block.
        log_handler: Makes the handler that brings its logs to the parent.
        log_level: The level of the parent's root logger.
    """

    play: Play
    log_handler: Callable[[], logging.Handler]
    log_level: int


class _Failure(Struct, frozen=True):
    """An exception that escaped from a worker, as text."""

    trace: str


class Worker:
    """A worker process and the block it is playing.

    Args:
        context: The start method, as a context of ``multiprocessing``.
        task: What it does.
    """

    block: Block

    def __init__(self, context: Any, task: Task) -> None:  # noqa: ANN401 - stdlib has no name for it
        self.connection, theirs = context.Pipe()
        # A daemon of multiprocessing: ended at the exit of this process, whatever happens.
        self._process = context.Process(
            target=_work, args=(theirs, self.connection, task), daemon=True
        )
        with _prepared_to_fork():
            self._process.start()
        theirs.close()

    def give(self, block: Block) -> None:
        """Hand it a block; one that is dead already is found out when its answer is due."""
        self.block = block
        with contextlib.suppress(ConnectionError):
            self.connection.send(block)

    def take(self) -> BlockRecord | None:
        """Return what it has played, or None if it died.

        Raises:
            UserError: If that is what playing raised.
            WorkerError: If any other exception escaped in it.
        """
        try:
            outcome = self.connection.recv()
        except (EOFError, OSError):  # the latter if it died in the midst of sending
            return None
        if isinstance(outcome, UserError):
            raise outcome
        if isinstance(outcome, _Failure):
            raise WorkerError(f"a worker failed; this is a bug:\n{outcome.trace}")
        assert isinstance(outcome, BlockRecord)
        return outcome

    def dismiss(self) -> None:
        """Tell it to leave; the bots that it started end with it."""
        self.connection.close()
        self._process.terminate()

    def join(self) -> None:
        """Wait until it has left."""
        self._process.join(LEAVE_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


@contextlib.contextmanager
def _prepared_to_fork() -> Iterator[None]:
    """Hold signals back until the new process can take them, and spare it a warning.

    The warning is of other threads in this process: those that carry logs only read a queue,
    whose lock the workers never take.
    """
    held = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "This process .* multi-threaded", DeprecationWarning)
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def _work(connection: Connection, parents_end: Connection, task: Task) -> None:
    """Play blocks until the parent is gone or says so; the body of a worker."""
    parents_end.close()
    parent = multiprocessing.parent_process()
    assert parent is not None
    assert parent.pid is not None
    _take_signals()
    root = logging.getLogger()
    root.handlers[:] = [task.log_handler()]
    root.setLevel(task.log_level)
    # While a pipe of this worker is inherited by a later one, the end of the parent does not
    # close it; so where the kernel does not tell, look up now and then.
    while die_with_parent(parent.pid):
        if not connection.poll(LOOK_UP_S):
            continue
        try:
            block = connection.recv()
            connection.send(_outcome(task.play, block))
        except (EOFError, ConnectionError):
            return


def _take_signals() -> None:
    """Leave on SIGTERM by way of every finally clause, which end the bots; ignore Ctrl-C.

    Ctrl-C reaches the whole process group, and it is for the parent to end its workers. A handler
    that does nothing is not handed on to the bots, as ignoring the signal would be.
    """
    signal.signal(signal.SIGINT, lambda _signal, _frame: None)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def _leave(_signal: int, _frame: object) -> None:
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # once is enough, and must not interrupt the end
    sys.exit(0)


def _outcome(play: Play, block: Block) -> BlockRecord | UserError | _Failure:
    try:
        return play(block)
    except UserError as error:
        return error
    except Exception:  # noqa: BLE001 - it is told to the parent, which raises it
        return _Failure(traceback.format_exc())

"""Starts worker processes, which play the blocks they are given and end their bots."""

import contextlib
import gc
import logging
import multiprocessing
import signal
import traceback
import warnings
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any

from arena.errors import UserError
from arena.executors.executor import Play, WorkerError
from arena.isolation import (
    ENDING,
    adopt_orphans,
    die_with_parent,
    end_orphans,
    held_back,
    leave_when_told,
)
from arena.records import Block, BlockRecord

LEAVE_S = 10.0
"""How long a worker may take to end its bots before it is killed."""

LOOK_UP_S = 1.0
"""How often a worker checks that its parent is still there, where no signal says so."""

MakeHandler = Callable[[], logging.Handler]


class Worker:
    """A worker process and the block it is playing."""

    block: Block

    def __init__(self, context: Any, play: Play, log_handler: MakeHandler) -> None:  # noqa: ANN401 - stdlib has no name for it
        self.connection, theirs = context.Pipe()
        level = logging.getLogger().level
        # Daemonic, so that multiprocessing terminates it when this process exits.
        self._process = context.Process(
            target=_work, args=(theirs, self.connection, play, log_handler, level), daemon=True
        )
        with _prepared_to_fork():
            self._process.start()
        theirs.close()

    def give(self, block: Block) -> None:
        """Send it a block; if it is already dead, ``take`` notices."""
        self.block = block
        with contextlib.suppress(ConnectionError):
            self.connection.send(block)

    def take(self) -> BlockRecord | None:
        """Return the record of its block, or None if it died.

        Raises:
            UserError: If playing raised it.
            WorkerError: If playing raised any other exception.
        """
        try:
            outcome = self.connection.recv()
        except (EOFError, OSError):  # OSError if it died while sending
            return None
        if isinstance(outcome, UserError):
            raise outcome
        if isinstance(outcome, str):
            raise WorkerError(f"a worker failed; this is a bug:\n{outcome}")
        assert isinstance(outcome, BlockRecord)
        return outcome

    def dismiss(self) -> None:
        """Tell it to exit; its bots end with it."""
        self.connection.close()
        self._process.terminate()

    def join(self) -> None:
        """Wait until it has exited, and kill it if it does not."""
        self._process.join(LEAVE_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


@contextlib.contextmanager
def _prepared_to_fork() -> Iterator[None]:
    """Block signals until the new process can handle them, and silence a warning about threads.

    Forking is safe here: the only other threads relay logs from a queue, whose reader lock the
    workers never take.
    """
    with held_back(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "This process .* multi-threaded", DeprecationWarning)
        yield


def _work(
    connection: Connection,
    parents_end: Connection,
    play: Play,
    log_handler: MakeHandler,
    log_level: int,
) -> None:
    """Play blocks until the parent closes the connection or ends."""
    parents_end.close()
    parent = multiprocessing.parent_process()
    assert parent is not None
    assert parent.pid is not None
    _take_signals()
    root = logging.getLogger()
    root.handlers[:] = [log_handler()]
    root.setLevel(log_level)
    gc.freeze()  # full collections need not look through what the parent has imported
    adopt_orphans()
    try:
        # A later worker may have inherited the parent's end of this pipe, which then stays open
        # when the parent ends; so check for the parent as well, where the kernel sends no signal.
        while die_with_parent(parent.pid):
            if not connection.poll(LOOK_UP_S):
                continue
            try:
                block = connection.recv()
                connection.send(_outcome(play, block))
            except (EOFError, ConnectionError):
                return
    finally:
        # A signal may have come while a bot was being started, which nobody else knows of then.
        end_orphans(())


def _take_signals() -> None:
    """Exit on SIGTERM through all finally clauses, which end the bots; ignore Ctrl-C.

    Ctrl-C reaches the whole process group, and the parent ends its workers. Unlike SIG_IGN, a
    handler that does nothing is not inherited by the bots.
    """
    signal.signal(signal.SIGINT, lambda _signal, _frame: None)
    leave_when_told()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


def _outcome(play: Play, block: Block) -> BlockRecord | UserError | str:
    """Return the record of a block, or what playing it raised, a bug as its traceback."""
    try:
        return play(block)
    except UserError as error:
        return error
    except Exception:  # noqa: BLE001 - sent to the parent, which raises it
        return traceback.format_exc()

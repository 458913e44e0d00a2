"""Brings the logs of worker processes to the handlers of this one."""

import contextlib
import logging
import logging.handlers
import multiprocessing
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import multiprocessing_logging

__all__ = ["relayed"]


class _Relay(logging.Handler):
    """Hands records to the root logger of this process."""

    def emit(self, record: logging.LogRecord) -> None:
        logging.getLogger().handle(record)


@contextlib.contextmanager
def relayed(method: str, context: Any) -> Iterator[Callable[[], logging.Handler]]:  # noqa: ANN401 - stdlib has no name for it
    """Relay the logs of workers while entered; yields what makes the handler of a worker.

    Args:
        method: How workers are started: "fork" or "spawn".
        context: The same as a context of ``multiprocessing``.
    """
    if method == "fork":
        with _by_multiprocessing_logging() as handler:
            yield lambda: handler
    else:
        with _by_listener(context) as make_handler:
            yield make_handler


@contextlib.contextmanager
def _by_multiprocessing_logging() -> Iterator[logging.Handler]:
    """Relay by multiprocessing-logging, whose handler must be there before workers are forked."""
    logger = logging.Logger("workers")  # noqa: LOG001 - nobody else is to log by it
    logger.addHandler(_Relay())
    # It asserts that the global start method is fork, no longer the default everywhere.
    before = multiprocessing.get_start_method(allow_none=True)
    multiprocessing.set_start_method("fork", force=True)
    try:
        multiprocessing_logging.install_mp_handler(logger)
    finally:
        multiprocessing.set_start_method(before, force=True)
    [handler] = logger.handlers
    try:
        yield handler
    finally:
        handler.close()  # once all that was logged has arrived


@contextlib.contextmanager
def _by_listener(context: Any) -> Iterator[Callable[[], logging.Handler]]:  # noqa: ANN401 - stdlib has no name for it
    """Relay by the standard library, which also serves workers that are not forked."""
    queue = context.Queue()
    listener = logging.handlers.QueueListener(queue, _Relay())
    listener.start()
    try:
        yield partial(logging.handlers.QueueHandler, queue)
    finally:
        listener.stop()
        queue.close()
        queue.join_thread()

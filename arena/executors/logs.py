"""Relays the logs of worker processes to the handlers of this one."""

import contextlib
import logging
import logging.handlers
import multiprocessing
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import multiprocessing_logging


class _Relay(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        logging.getLogger().handle(record)


@contextlib.contextmanager
def relayed(method: str, context: Any) -> Iterator[Callable[[], logging.Handler]]:  # noqa: ANN401 - stdlib has no name for it
    """Relay the logs of workers while entered; yields a factory of a worker's log handler."""
    if method == "fork":
        with _by_multiprocessing_logging() as handler:
            yield lambda: handler
    else:
        with _by_listener(context) as make_handler:
            yield make_handler


@contextlib.contextmanager
def _by_multiprocessing_logging() -> Iterator[logging.Handler]:
    """Relay by multiprocessing-logging, whose handler must exist before workers are forked."""
    logger = logging.Logger("workers")  # noqa: LOG001 - private, so that nobody else logs to it
    logger.addHandler(_Relay())
    # The library asserts that the global start method is fork, which is not always the default.
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
        handler.close()  # waits until all records have arrived


@contextlib.contextmanager
def _by_listener(context: Any) -> Iterator[Callable[[], logging.Handler]]:  # noqa: ANN401 - stdlib has no name for it
    """Relay by the standard library, which also works for spawned workers."""
    queue = context.Queue()
    listener = logging.handlers.QueueListener(queue, _Relay())
    listener.start()
    try:
        yield partial(logging.handlers.QueueHandler, queue)
    finally:
        listener.stop()
        queue.close()
        queue.join_thread()

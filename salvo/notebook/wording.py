"""Puts messages into the words of Python: options of commands become arguments of functions.

Arguments are named as the options are, so that most messages need no more than that.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from arena.errors import UserError

_ARGUMENTS = "common-layouts|games|gauntlet|isolation|layouts|db|rules|seed|tournament|workers"
_IN_PYTHON = tuple(
    (re.compile(command), python)
    for command, python in (
        (r"`salvo bots`", "`salvo.bots()`"),
        (r"`salvo games --forfeits[^`]*`", "`record.games(forfeits=True)`"),
        (r"`salvo games`", "`record.games()`"),
        (r"`salvo match A B --sprt (\S+),(\S+)`", r"`salvo.match(A, B, sprt=(\1, \2))`"),
        (r"`salvo replay (\S+) --posterior`", r'`record.replay("\1", posterior=True)`'),
        (r"`salvo standings --explain`", "`print(record.standing().text(explain=True))`"),
        (r"`salvo tournament`", "`salvo.play`"),
        (r"--allow-processes", "terms=salvo.Terms(processes=True)"),
        (r"--allow-network (\S+)(?=,)", r'terms=salvo.Terms(network=("\1",))'),
        (r"--secret (\S+)(?=,)", r'terms=salvo.Terms(secrets=("\1",))'),
        (r"--grant( /\S+)?", "terms=salvo.Terms(grants=...)"),
        (r"--load-time", "settings=salvo.Settings(load_s=...)"),
        (r"--max-memory (\d+)", r"terms=salvo.Terms(max_memory_mb=\1)"),
        (r"--max-temporary (\d+)", r"terms=salvo.Terms(max_temporary_mb=\1)"),
        (r"--seed (\d+)", r"seed=\1"),
        (r"--isolation (lite|sandbox)\b", r'isolation="\1"'),
        (rf"--({_ARGUMENTS})\b", lambda found: found[1].replace("-", "_")),
    )
)


def in_python(text: str) -> str:
    """Return a message with what Python can do in place of the commands and options it names."""
    for command, python in _IN_PYTHON:
        text = command.sub(python, text)
    return text


@contextmanager
def errors_in_python() -> Iterator[None]:
    """Put the message of a ``UserError`` that passes into the words of Python."""
    try:
        yield
    except UserError as error:
        error.args = (in_python(str(error)),)
        raise

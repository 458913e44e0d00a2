"""Finds the line that tells why a bot ended in what it wrote to stderr."""

import re
from collections.abc import Sequence
from pathlib import Path

_SHOWN_CHARACTERS = 300

_NEAR = 15
"""How many lines the one that tells is at most from the end, not counting those of a stack: what
failed long before was hardly the cause."""

_ARENA = str(Path(__file__).resolve().parents[1])

_TRACEBACK = "Traceback (most recent call last):"
_IGNORED = "Exception ignored in"
_FRAME = re.compile(r'\s+File "(?P<path>.+?)", line (?P<line>\d+)')
_LIBRARY = re.compile(r"<|.*/(lib\d*/python3|site-packages|dist-packages)\b")
_TELLS = re.compile(
    r"(Error|Exception)\b|Check failed|panicked at|panic: |[Ff]atal error|OutOfMemory"
    r"|: syntax error near |: No such file or directory$"
)
_TELLS_NOTHING = re.compile(
    r"Error: (Could not create the Java Virtual Machine|A fatal exception has occurred)"
    r"|Node\.js v|stack traceback:|note: run with"
)
_CONTINUES = re.compile(r".*:$|Error occurred during initialization of VM$")


def last_words(stderr: str) -> str:
    """Return the line of a bot's stderr that tells why it ended, or an empty string.

    Of a Python traceback it is that of the exception, with the last line of the author's own code
    that led to it; of other languages a line with an error or exception in it, since .NET and
    TensorFlow go on after it. Otherwise it is the last line.
    """
    lines = [line.rstrip() for line in stderr.split("\n") if line.strip()]
    if not lines:
        return ""
    number = _telling(lines)
    words = lines[number].strip()
    if _CONTINUES.fullmatch(words) and number + 1 < len(lines):
        words = f"{words} {lines[number + 1].strip()}"
    place = _place(lines[:number])
    shown = words[:_SHOWN_CHARACTERS]
    return shown if place is None or place in shown else f"{shown} ({place})"


def _telling(lines: Sequence[str]) -> int:
    raised = _raised(lines)
    if raised is not None:
        return raised
    plain = [n for n, line in enumerate(lines) if not line[0].isspace()]
    plain = [n for n in plain if not _TELLS_NOTHING.match(lines[n])][-_NEAR:] or [len(lines) - 1]
    return next((n for n in reversed(plain) if _TELLS.search(lines[n])), plain[-1])


def _raised(lines: Sequence[str]) -> int | None:
    for start in reversed(range(len(lines))):
        before = lines[max(0, start - 1)]
        if lines[start] == _TRACEBACK and not before.startswith(_IGNORED):
            after = range(start + 1, len(lines))
            plain = [n for n in after if not lines[n][0].isspace()]
            return plain[0] if 0 < len(plain) <= _NEAR else None
    return None


def _place(lines: Sequence[str]) -> str | None:
    for line in reversed(lines):
        frame = _FRAME.match(line)
        if frame is not None and not _LIBRARY.match(frame["path"]):
            if not frame["path"].startswith(f"{_ARENA}/"):
                return f"{Path(frame['path']).name}, line {frame['line']}"
        elif not line[0].isspace():
            return None
    return None

"""A real terminal obeys nothing that bots wrote, and shows Salvo's own colours."""

import io
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pexpect
import pytest

from salvo.cli.terminal import filtering

Salvo = Callable[..., Any]

EVIL = "\x1b]0;owned\x07\x1b[2Jgone\rover\x9b31m\u202eback\x08\x7f\u2066"
BOT = f"""
import sys
from arena import Bot, run

class Evil(Bot):
    def choose_shots(self, count):
        print({EVIL!r}, file=sys.stderr, flush=True)
        raise ValueError({EVIL!r})

run(Evil)
"""
UNSAFE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


RUN_ALL = """
import json, os, sys
from salvo.cli.main import main

for words in json.loads(sys.argv[1]):
    sys.argv = ["salvo", *words]
    try:
        main()
    except SystemExit:
        os.write(1, b"=== end\\n")
"""


def at_a_terminal(folder: Path, *commands: Sequence[str]) -> list[str]:
    """Run commands at a terminal, in one process, and return what the terminal was sent by each."""
    child = pexpect.spawn(
        sys.executable,
        ["-c", RUN_ALL, json.dumps(commands)],
        cwd=str(folder),
        env={**os.environ, "TERM": "xterm", "PYTHONUTF8": "1"},
        encoding="utf-8",
        timeout=600,
        dimensions=(50, 400),
    )
    child.expect(pexpect.EOF)
    child.close()
    assert isinstance(child.before, str)
    *sent, rest = child.before.replace("\r\n", "\n").split("=== end\n")
    assert len(sent) == len(commands), rest
    return sent


LINE = UNSAFE.pattern.replace("[", "[^\n", 1)
DRAWN = re.compile(
    rf"\x1b\[\?7l\r(\x1b\[A)*{LINE}*(\x1b\[K\n{LINE}*)*\x1b\[J\x1b\[\?7h"  # a table
    r"|\r(\x1b\[A)*\x1b\[J"  # it is erased
    rf"|\r{LINE}*"  # a bar alone
)
"""What shows how far a run is; a bot could make none of it."""


@pytest.fixture
def evil_record(salvo: Salvo, tmp_path: Path) -> str:
    """Play a game that a hostile bot forfeits, and return the game's id."""
    (tmp_path / "evil.py").write_text(BOT, encoding="utf-8")
    words = ("evil.py", "hunt_target", "--games", "2", "--rules", "ramesh-1")
    salvo("match", *words, "--isolation", "limits", "--workers", "1")
    [one, *_] = salvo("games", "--format", "json").json
    return str(one["game"])


def test_no_output_on_a_terminal_has_what_a_terminal_obeys(
    evil_record: str, tmp_path: Path
) -> None:
    commands = [
        *(
            ("games", "--forfeits", "--format", form)
            for form in ("csv", "json", "markdown", "table")
        ),
        ("replay", evil_record, "--stderr"),
        ("replay", evil_record),
        ("replay", evil_record, "--format", "json"),
        ("standings",),
        ("check", "evil.py", "--isolation", "limits"),
        (EVIL,),
        ("match", "evil.py", "hunt_target", "--games", "4", "--isolation", "limits"),
    ]
    for words, text in zip(commands, at_a_terminal(tmp_path, *commands), strict=True):
        # Colours are ours.
        left = re.sub("\x1b\\[[0-9;]*m", "", text) if words[0] == "check" else text
        left = DRAWN.sub("", left) if words[0] == "match" else left
        assert not UNSAFE.search(left), (words, left)
        assert ("owned" in text) == (words[0] != "standings"), (words, text)
        assert ("\x1b[3" in text) == (words[0] == "check")


def test_pipes_and_files_get_the_data_as_it_is(evil_record: str, salvo: Salvo) -> None:
    del evil_record
    assert "\x1b]0;owned" in salvo("games", "--forfeits", "--format", "csv").out


def test_colours_stay_where_text_of_others_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.BytesIO):
        def isatty(self) -> bool:
            return True

    sent = Terminal()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(sent, encoding="utf-8"))
    monkeypatch.setattr(sys, "stderr", sys.stdout)
    filtering.filter_terminals()
    filtering.echo_coloured("\x1b[32mok\x1b[0m \x1b[2J")
    sys.stdout.write("\r50% \x1b[A\r")
    sys.stdout.buffer.write("\x9b".encode())
    sys.stdout.flush()
    assert sent.getvalue() == b"\x1b[32mok\x1b[0m \\x1b[2J\n\r50% \\x1b[A\\r\\x9b"

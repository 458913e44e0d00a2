"""`salvo` as a user runs it: a process of its own, in an empty folder."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


class Ran:
    """What a command printed and how it ended."""

    def __init__(self, process: "subprocess.CompletedProcess[str]") -> None:
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr

    @property
    def json(self) -> Any:  # noqa: ANN401 - JSON has any shape
        return json.loads(self.out)

    @property
    def mistake(self) -> str:
        """The one line that tells a user's mistake."""
        assert self.code == 2, (self.code, self.out, self.err)
        assert self.out == ""
        [line] = self.err.splitlines()
        return line


Salvo = Callable[..., Ran]


@pytest.fixture
def salvo(tmp_path: Path) -> Salvo:
    def run(*words: str, cwd: Path = tmp_path) -> Ran:
        command = [sys.executable, "-m", "salvo", *words]
        process = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
        assert "Traceback" not in process.stderr, process.stderr
        return Ran(process)

    return run

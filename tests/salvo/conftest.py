"""`salvo` as a user runs it, in an empty folder."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from salvo.cli.main import main


class Ran(NamedTuple):
    """The exit code of a command, and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - JSON has any shape
        return json.loads(self.out)

    @property
    def mistake(self) -> str:
        """The one line that tells a user's mistake, besides one that there is no sandbox here."""
        assert self.code == 2, self
        assert self.out == ""
        [line] = [line for line in self.err.splitlines() if "no 'sandbox' here" not in line]
        return line


Salvo = Callable[..., Ran]


@pytest.fixture
def salvo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Salvo:
    """Return a function that runs a command in this process, which has imported all it needs."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["salvo", *words])
        capfd.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        return Ran(int(end.value.code or 0), *capfd.readouterr())

    return run

"""`salvo` in a process of its own, and for the fixtures of a module."""

import contextlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from salvo.cli.main import salvo as command
from tests.salvo.conftest import Ran

Salvo = Callable[..., Ran]


@pytest.fixture
def salvo_process(tmp_path: Path) -> Salvo:
    """Return a function that runs a command in a process of its own, as a shell does."""

    def run(*words: str) -> Ran:
        command = [sys.executable, "-m", "salvo", *words]
        process = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert "Traceback" not in process.stderr, process.stderr
        return Ran(process.returncode, process.stdout, process.stderr)

    return run


@pytest.fixture(scope="session")
def league_of_one(tmp_path_factory: pytest.TempPathFactory, salvo_in: Salvo) -> Path:
    """Return a league with one bot, hunt_target, to be copied."""
    folder = tmp_path_factory.mktemp("league_of_one")
    own = ("--rules", "ramesh-1", "--games", "4", "--layouts", "3", "--seed", "1")
    assert salvo_in(folder, "submit", "hunt_target", *own, "--isolation", "none").code == 0
    return folder / "league"


@pytest.fixture(scope="session")
def salvo_in() -> Salvo:
    """Return a function that runs a command in this process and a folder, for many tests."""

    def run(folder: Path, *words: str) -> Ran:
        with contextlib.chdir(folder):
            ran = CliRunner().invoke(command, words, catch_exceptions=False)
        return Ran(ran.exit_code, ran.stdout, ran.stderr)

    return run

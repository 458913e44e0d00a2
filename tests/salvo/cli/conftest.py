"""`salvo` in a process of its own."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

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

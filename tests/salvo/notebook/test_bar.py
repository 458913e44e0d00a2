"""The progress bar: at a terminal and in a notebook's cell, and nowhere else."""

import subprocess
import sys
import time
from types import SimpleNamespace

import pexpect
import pytest

from salvo.notebook.bar import EVERY_S, make_bar, progress_bar

SCRIPT = (
    "import salvo\n"
    "salvo.solo('uniform_random', layouts=200, rules='ramesh-1', isolation='none', workers=1)"
)


def test_script_at_a_terminal_shows_a_bar() -> None:
    child = pexpect.spawn(sys.executable, ["-c", SCRIPT], encoding="utf-8", timeout=120)
    child.expect(r"/200 \[")
    child.expect(pexpect.EOF)


def test_script_at_no_terminal_is_silent() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, check=True)
    assert done.stdout == done.stderr == b""


class Cell:
    """Stands in for the output of a notebook's cell, which takes a kernel."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def display(self, data: dict[str, str], **_: object) -> "Cell":
        self.shown.append(data["text/html"])
        return self

    update = display


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> Cell:
    cell = Cell()
    shell = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel="there"))
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=cell.display))
    return cell


def test_bar_below_a_cell_says_how_far_it_is_and_goes(cell: Cell) -> None:
    bar = make_bar("games")
    bar(0, 1200)
    time.sleep(EVERY_S)
    bar(50, 1200)
    bar.close()
    first, second, last = cell.shown
    assert "0 of 1,200 games" in first
    assert '<progress max="1200" value="50">' in second
    assert last == ""


def test_bar_passes_on_the_steps(cell: Cell) -> None:
    assert list(progress_bar("abc", 3, "letters")) == ["a", "b", "c"]
    assert cell.shown[-1] == ""

"""The progress bar: at a terminal and in a notebook's cell, and nowhere else."""

import sys
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pexpect
import pytest
from tqdm import tqdm

import salvo
from salvo.notebook import bar as bar_module
from salvo.notebook.bar import make_bar, progress_bar


def test_script_at_a_terminal_shows_a_bar() -> None:
    script = (
        "import salvo\n"
        "salvo.solo('uniform_random', layouts=20, rules='ramesh-1', isolation='none', workers=1)"
    )
    child = pexpect.spawn(sys.executable, ["-c", script], encoding="utf-8", timeout=120)
    child.expect(r"/20 \[")
    child.expect(pexpect.EOF)


def test_script_at_no_terminal_is_silent(capfd: pytest.CaptureFixture[str]) -> None:
    salvo.solo("uniform_random", layouts=20, rules="ramesh-1", isolation="none", workers=1)
    assert capfd.readouterr() == ("", "")


class Cell:
    """Stands in for the output of a notebook's cell, which takes a kernel."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, str]] = []
        self.calls: list[str] = []

    def display(self, data: dict[str, str], *, raw: bool, display_id: bool) -> "Cell":
        assert display_id
        self.update(data, raw=raw)
        self.calls[-1] = "display"
        return self

    def update(self, data: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.shown.append((data["text/html"], data["text/plain"]))
        self.calls.append("update")


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> Cell:
    cell = Cell()
    shell = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel="there"))
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=cell.display))
    return cell


def test_bar_below_a_cell_says_how_far_it_is_ten_times_a_second_and_goes(
    cell: Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    times_s = iter([0.0, 2.0, 2.05, 2.125, 2.2, 10.0])
    monkeypatch.setattr(bar_module, "time", SimpleNamespace(monotonic=times_s.__next__))
    bar = make_bar("games")
    for done in (100, 120, 150, 160, 650):
        bar(done, 1200)
    bar.close()
    told = [
        "100 of 1,200 games, 00:02 so far, ? left",
        "150 of 1,200 games, 00:02 so far, 00:44 left",
        "650 of 1,200 games, 00:10 so far, 00:10 left",
    ]
    values = ["", ' value="150"', ' value="650"']
    assert cell.shown == [
        *((f'<progress max="1200"{value}></progress> {text}', text)
          for value, text in zip(values, told, strict=True)),
        ("", ""),
    ]  # fmt: skip
    assert cell.calls == ["display", "update", "update", "update"]


def test_bar_that_was_never_drawn_leaves_nothing(cell: Cell) -> None:
    make_bar("games").close()
    assert cell.shown == []


def test_bar_passes_on_the_steps(cell: Cell) -> None:
    assert list(progress_bar("abc", 3, "letters")) == ["a", "b", "c"]
    assert cell.shown[0][1].startswith("0 of 3 letters")
    assert cell.shown[-1] == ("", "")


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_bar_at_a_terminal_counts_on_from_what_was_done_before_and_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    bar: Any = make_bar("games")
    counted = []
    for done, most in ((50, 200), (120, 200), (10, 300)):
        bar(done, most)
        counted.append((bar._bar.initial, bar._bar.n, bar._bar.total))
    bar.close()
    assert counted == [(50, 50, 200), (50, 120, 200), (10, 10, 300)]
    drawn = sys.stderr.getvalue()  # type: ignore[attr-defined]
    assert "/200 [" in drawn
    assert " games/s" in drawn
    assert drawn.endswith("\r")
    assert "\n" not in drawn
    # No thread of its own, as workers are forked.
    assert tqdm.monitor_interval == 0

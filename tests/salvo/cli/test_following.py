"""A run says how far it is, how long the rest takes, and how long stopping may take."""

from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from salvo.cli.runs import following
from salvo.cli.runs.following import Following
from salvo.cli.runs.so_far import SoFar


class Clock:
    """Stands in for the clock, which tests set."""

    now_s, used_s, takes_s = 100.0, 0.0, 0.0

    def monotonic(self) -> float:
        return self.now_s

    def thread_time(self) -> float:
        """Return the processor time of this thread, of which all that is drawn takes some."""
        self.used_s += self.takes_s
        return self.used_s


class Terminal:
    """Takes what is said and drawn."""

    def __init__(self, *, shows: bool) -> None:
        self.shows, self.width, self.height = shows, 80, 10
        self.said: list[str] = []
        self.drawn: list[list[str]] = []

    def say(self, text: str) -> None:
        self.said.append(text)

    def draw(self, lines: list[str]) -> None:
        self.drawn.append(lines)

    def erase(self) -> None:
        self.drawn.append([])


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(following, "time", clock)
    return clock


def followed(
    terminal: Terminal,
    *,
    workers: int = 1,
    cluster: str | None = None,
    tested: bool = False,
    bots: Iterable[str] = "ab",
) -> Following:
    run: Any = SimpleNamespace(db=Path("x.sqlite3"), workers=workers, cluster=cluster)
    region: Any = terminal
    return Following(region, SoFar(bots), run, tested=tested)


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(
    ("done", "wanted", "tested", "told"),
    [
        (0, 1200, False, ["salvo: 1,200 games to play"]),
        (200, 1200, False, ["salvo: 1,000 games to play, beside 200 in x.sqlite3"]),
        (0, 20, True, ["salvo: 20 games to play, fewer if the test decides before"]),
        (20, 20, False, []),
    ],
)
def test_what_is_to_be_played_is_said_first(
    done: int, wanted: int, told: list[str], *, tested: bool
) -> None:
    terminal = Terminal(shows=False)
    follow = followed(terminal, tested=tested)
    assert (follow.done, follow.wanted) == (0, 0)
    follow(done, wanted)
    assert terminal.said == told
    assert terminal.drawn == []
    assert (follow.done, follow.wanted) == (done, wanted)


@pytest.mark.parametrize(
    ("took_s", "tested", "told"),
    [
        (6.0, False, []),  # the other 200 games take a minute, and no more
        (6.5, False, ["take about 2 minutes; Ctrl-C stops, and keeps what was played"]),
        (60.0, True, ["take about 10 minutes at most; Ctrl-C stops, and keeps what was played"]),
    ],
)
def test_time_is_told_once_when_every_worker_has_played(
    clock: Clock, took_s: float, told: list[str], *, tested: bool
) -> None:
    terminal = Terminal(shows=False)
    follow = followed(terminal, workers=2, tested=tested)
    follow(100, 320)
    clock.now_s += 1
    follow(110, 320)
    assert len(terminal.said) == 1
    clock.now_s += took_s - 1
    follow(120, 320)
    clock.now_s += 500
    follow(130, 320)
    before = "salvo: the first 20 games say that the other 200 "
    assert terminal.said[1:] == [before + rest for rest in told]


def test_bar_and_table_are_drawn_while_games_are_played(clock: Clock) -> None:
    terminal = Terminal(shows=True)
    follow = followed(terminal)
    follow(50, 100)
    clock.now_s += 10
    follow(60, 100)
    follow(100, 100)
    assert len(terminal.drawn) == 2
    bar, heads, *rows = terminal.drawn[1]
    assert " 60%|" in bar
    assert "60/100 [00:10<00:40,  1.00 games/s]" in bar  # of the ten that were played now
    assert heads.split() == ["#", "bot,", "so", "far"]
    assert len(rows) == 2


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(("encoding", "bar"), [("UTF-8", "50%|█"), ("ascii", "50%|#")])
def test_bar_is_of_characters_that_the_terminal_has(
    monkeypatch: pytest.MonkeyPatch, encoding: str, bar: str
) -> None:
    stderr = SimpleNamespace(encoding=encoding)
    monkeypatch.setattr(following, "sys", SimpleNamespace(stderr=stderr))
    terminal = Terminal(shows=True)
    followed(terminal)(50, 100)
    assert bar in terminal.drawn[0][0]


@pytest.mark.usefixtures("clock")
def test_bar_and_table_take_the_lines_that_there_are() -> None:
    terminal = Terminal(shows=True)
    followed(terminal, bots=map(str, range(30)))(50, 100)
    assert len(terminal.drawn[0]) == terminal.height


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(("width", "drawn"), [(60, 60), (100, 100), (101, 100)])
def test_bar_is_as_wide_as_the_terminal_up_to_100(width: int, drawn: int) -> None:
    terminal = Terminal(shows=True)
    terminal.width = width
    followed(terminal)(50, 100)
    assert len(terminal.drawn[0][0]) == drawn


def test_drawing_takes_a_hundredth_of_the_time(clock: Clock) -> None:
    terminal = Terminal(shows=True)
    follow = followed(terminal)
    clock.takes_s = 0.1
    for waited_s, drawn in ((0, 1), (9.9, 1), (0.2, 2), (9.9, 2), (0.2, 3)):
        clock.now_s += waited_s
        follow(50, 100)
        assert len(terminal.drawn) == drawn


@pytest.mark.parametrize(
    ("cluster", "blocks", "told"),
    [
        (None, 0, "first, in some seconds as a rule;"),
        (None, 3, "first, in about 20 seconds at most;"),  # two workers played three blocks in 30 s
        ("local", 1, "first, in about 30 seconds at most;"),
        ("tcp://10.0.0.1:8786", 3, "first;"),
    ],
)
def test_stopping_is_said_to_take_as_long_as_a_block(
    clock: Clock, cluster: str | None, blocks: int, told: str
) -> None:
    terminal = Terminal(shows=False)
    follow = followed(terminal, workers=2, cluster=cluster)
    for block in range(blocks + 1):
        follow(10 * block, 100)
    clock.now_s += 30
    assert follow.announce_stop() == (
        f"the games in play are finished {told} Ctrl-C again stops at once"
    )
    assert terminal.drawn == [[]]

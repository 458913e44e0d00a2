"""`salvo play`: a person's game at a real pseudo-terminal."""

import json
import os
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pexpect
import pytest

from arena.store import Store

ANY_PROMPT = r"(?:(?:shots?|back|more|stay|cells?|random\)|cell\)): |\(y/n\) )$"
"""How questions end, and nothing else that may have appeared so far."""
COLOUR = "\x1b["

Sit = Callable[..., "Seat"]


class Seat:
    """A person at a terminal of its own: types lines and reads what appears."""

    def __init__(self, words: tuple[str, ...], folder: Path, columns: int, **env: str) -> None:
        own = ("NO_COLOR", "COLUMNS", "LINES")
        inherited = {name: value for name, value in os.environ.items() if name not in own}
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "salvo", "play", "--isolation", "none", *words],
            cwd=str(folder),
            env={**inherited, "TERM": "xterm", **env},
            encoding="utf-8",
            dimensions=(60, columns),
            timeout=60,
        )
        self.seen = ""

    def prompt(self) -> str:
        """Return what appears up to the next question."""
        self.child.expect(ANY_PROMPT)
        text = str(self.child.before) + str(self.child.after)
        self.seen += text
        return text

    def type(self, *lines: str) -> str:
        """Answer one question after the other; return what appears up to the one after."""
        text = ""
        for line in lines:
            self.child.sendline(line)
            text = self.prompt()
        return text

    def leave(self) -> tuple[int, str]:
        """Read to the end; return the exit code and what appeared."""
        self.child.expect(pexpect.EOF)
        self.seen += str(self.child.before)
        self.child.close()
        return int(self.child.exitstatus), str(self.child.before)


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    """Return a function that starts `salvo play` with some words."""
    seats = []

    def start(*words: str, columns: int = 80, **env: str) -> Seat:
        seat = Seat(words, tmp_path, columns, **env)
        seats.append(seat)
        return seat

    yield start
    for seat in seats:
        seat.child.close(force=True)


def play_to_the_end(seat: Seat, cells: list[str]) -> None:
    """Place at random, then shoot at the cells in order until the game is over."""
    seat.prompt()
    seat.type("r", "")
    for cell in cells:
        seat.child.sendline(cell)
        if seat.child.expect([ANY_PROMPT, pexpect.EOF]) == 1:
            break
        seat.seen += str(seat.child.before) + str(seat.child.after)
    seat.seen += str(seat.child.before)
    seat.child.close()


ROW = [f"a{column}" for column in range(1, 11)]


def game_of(folder: Path, tournament: int = 0) -> Any:  # noqa: ANN401 - a game or nothing
    with Store(folder / "salvo.sqlite3", create=False) as store:
        games = list(store.games(store.tournament_names()[tournament]))
    return games[-1] if games else None


def test_a_whole_game_is_played_recorded_and_can_be_replayed(sit: Sit, tmp_path: Path) -> None:
    seat = sit("uniform_random", "--rules", "row-10-3", "--first", "--seed", "3")
    play_to_the_end(seat, ROW)
    assert seat.child.exitstatus == 0
    assert re.search(r"You (win: you sank|lose: your) .*whole fleet", seat.seen)
    game = game_of(tmp_path)
    assert (game.fixture.first, game.fixture.second) == ("guest", "uniform_random")
    assert game.termination == "sunk"
    assert f"`salvo replay {game.fixture.id[:8]}` shows the game." in seat.seen
    output, status = pexpect.run(
        f"{sys.executable} -m salvo replay {game.fixture.id[:8]}",
        cwd=str(tmp_path),
        withexitstatus=True,
        encoding="utf-8",
    )
    assert status == 0, output
    assert "guest against uniform_random, row-10-3, pair 0" in output


def test_seats_are_taken_in_turn_and_rated_under_a_name(sit: Sit, tmp_path: Path) -> None:
    for first in ("Ada", "hunt_target"):
        seat = sit("hunt_target", "--rules", "row-10-3", "--rated", "--name", "Ada")
        play_to_the_end(seat, ROW)
        assert game_of(tmp_path).fixture.first == first
    assert re.search(r"Ada is number \d of 2 .*, Elo [\d.]+ .* by 2 games\.", seat.seen)
    name = re.findall(r"--tournament (rated-row-10-3-\w+)`", seat.seen)[0]
    with closing(sqlite3.connect(tmp_path / "salvo.sqlite3")) as record, record:
        assert record.execute("SELECT name, kind FROM tournaments").fetchall() == [(name, "play")]
    record.close()


def test_a_fleet_is_placed_by_hand_and_a_salvo_sent_at_80_columns(sit: Sit) -> None:
    seat = sit("uniform_random", "--rules", "salvo", "--first")
    assert "Carrier, 5 cells (r for a fleet at random): " in seat.prompt()
    assert "The Battleship lies on another ship there." in seat.type("a1 a5", "A5 down")
    seat.type("c1 right", "u", "d1 right", "f1 f3", "h1 right", "j1 j2")
    boards = seat.type("")
    assert "Your 5 shots: " in boards
    assert "K9 is not on the board: rows A to J, columns 1 to 10." in seat.type("k9")
    assert "B7 C3, and 3 more: " in seat.type("B7, c3")
    told = seat.type("d4 e5 f6", "u", "f7", "")
    assert "You shoot B7 C3 D4 E5 F7: " in told
    assert "They shoot " in told
    seat.child.sendline("q")
    assert seat.leave()[0] == 0
    plain = re.sub(r"\x1b\[[0-9;]*m", "", seat.seen)
    assert max(map(len, plain.splitlines())) <= 80
    assert re.search(r"^Yours +Theirs\r$", plain, re.MULTILINE)


def test_in_a_narrow_terminal_the_boards_stand_above_each_other(sit: Sit) -> None:
    seat = sit("uniform_random", "--rules", "classic", columns=50)
    seat.prompt()
    seat.type("r", "")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", seat.seen)
    assert re.search(r"^Theirs\r$", plain, re.MULTILINE)
    lines = [line for line in plain.splitlines() if not line.startswith("Enter ")]
    assert max(map(len, lines)) <= 50


def test_marks_are_coloured_where_the_terminal_has_it(sit: Sit) -> None:
    seat = sit("uniform_random", "--rules", "ramesh-1")
    seat.prompt()
    assert f"{COLOUR}32m#" in seat.type("r")


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_marks_are_plain_where_that_is_asked_for(sit: Sit, env: dict[str, str]) -> None:
    seat = sit("uniform_random", "--rules", "ramesh-1", **env)
    seat.prompt()
    assert COLOUR not in seat.type("r")
    assert "#" in seat.seen


@pytest.mark.parametrize("how", ["q", "ctrl-c", "ctrl-d"])
def test_a_game_that_is_left_ends_politely_and_is_not_recorded(
    sit: Sit, tmp_path: Path, how: str
) -> None:
    seat = sit("uniform_random", "--rules", "classic")
    seat.prompt()
    seat.type("r", "", "a1")
    leave(seat, how)
    code, told = seat.leave()
    assert code == 0
    assert "You left the game, and it is not recorded. Until next time!" in told
    with Store(tmp_path / "salvo.sqlite3", create=False) as store:
        assert store.tournament_names() == []


def leave(seat: Seat, how: str) -> None:
    if how == "q":
        seat.child.sendline("q")
    elif how == "ctrl-c":
        seat.child.sendintr()
    else:
        seat.child.sendeof()


@pytest.mark.parametrize("how", ["q", "ctrl-c"])
def test_to_leave_a_rated_game_loses_it(sit: Sit, tmp_path: Path, how: str) -> None:
    seat = sit("uniform_random", "--rules", "classic", "--rated", "--name", "Ada", "--second")
    seat.prompt()
    assert "This game is rated: if you leave, you lose. Leave? (y/n) " in seat.type("q")
    seat.type("n", "r", "")
    if how == "q":
        seat.type("q")
        seat.child.sendline("y")
    else:
        leave(seat, how)
    code, told = seat.leave()
    assert code == 0
    assert "You left the game, and so you lose." in told
    game = game_of(tmp_path)
    assert (game.fixture.second, game.forfeit, game.termination) == ("Ada", "second", "exited")


def test_the_clock_that_was_asked_for_ends_the_game(sit: Sit, tmp_path: Path) -> None:
    seat = sit("uniform_random", "--rules", "ramesh-1", "--clock", "1")
    assert "[0:01] Ship of 4, 4 cells" in seat.prompt()
    code, told = seat.leave()
    assert code == 0
    assert "You did not answer in time (1 s for a game), and so you lose." in told
    assert game_of(tmp_path).termination == "timeout"


def test_without_a_terminal_a_game_is_played_from_a_pipe(tmp_path: Path) -> None:
    lines = "\\n".join(["r", "", *ROW])
    output, status = pexpect.run(
        f"""sh -c "printf '{lines}\\n' | {sys.executable} -m salvo play uniform_random """
        """--rules row-10-3 --isolation none --seed 1 --db other.sqlite3" """,
        cwd=str(tmp_path),
        withexitstatus=True,
        encoding="utf-8",
        timeout=60,
    )
    assert status == 0, output
    assert re.search("You (win|lose)", output)
    assert " --db other.sqlite3` shows the game." in output


def test_a_bot_that_was_changed_is_another_opponent(sit: Sit, tmp_path: Path) -> None:
    for version in ("1", "2"):
        (tmp_path / "mine.py").write_text(
            "from arena import Bot, run\n\n\nclass Mine(Bot):\n"
            f"    version = '{version}'\n\n"
            "    def choose_shots(self, count):\n        return self.untried[:count]\n\n\n"
            "run(Mine)\n",
            encoding="utf-8",
        )
        play_to_the_end(sit("mine.py", "--rules", "row-5-3", "--first"), ROW[:5])
    assert game_of(tmp_path).fixture.second == "mine@2"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--rules", "clasic"), "rules 'clasic': no preset has that name"),
        (("no=sh -c 'exit 3'",), "no: gave no introduction: exited with code 3"),
    ],
)
def test_a_mistake_is_one_line(salvo: Any, words: tuple[str, ...], reason: str) -> None:  # noqa: ANN401 - from conftest
    assert reason in salvo("play", "--isolation", "none", *words).mistake


def test_a_bot_that_does_not_play_the_rules_is_reported(
    salvo: Any,  # noqa: ANN401 - the same
    tmp_path: Path,
) -> None:
    hello = {"type": "hello", "protocol": 1, "name": "x", "plays": False}
    script = f"input()\nprint({json.dumps(json.dumps(hello))})"  # who is gone cannot be asked
    (tmp_path / "picky.py").write_text(script, encoding="utf-8")
    told = salvo("play", "picky.py", "--rules", "afp", "--isolation", "none").mistake
    assert told == "salvo: picky does not play afp; `salvo bots --rules afp` lists those that do"
    (tmp_path / "mine.toml").write_text(
        salvo("rules", "afp").out.replace('name = "afp"', 'name = "mine"')
    )
    told = salvo("play", "picky.py", "--rules", "mine.toml", "--isolation", "none").mistake
    assert told == (
        "salvo: picky does not play mine; `salvo bots` with the same --rules lists those that do"
    )

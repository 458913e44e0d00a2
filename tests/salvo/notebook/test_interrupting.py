"""Interrupting a call that plays: games are kept, and one line says how to go on."""

import os
import re
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

import salvo
from salvo.notebook.running import Interrupted

SMALL = {"rules": "ramesh-1", "isolation": "none", "games": 0}
LAYOUTS = 100  # two blocks


class Interrupts(salvo.Bot):
    """Presses Ctrl-C as often as ``presses`` says, one a turn, from turn ``waits`` on."""

    presses: list[int] = []  # noqa: RUF012 - not in the digest of the bot, as a number would be
    waits: list[int] = []  # noqa: RUF012 - the same

    def choose_shots(self, count: int) -> Sequence[int]:
        if self.waits and self.waits[0] > 0:
            self.waits[0] -= 1
        elif self.presses and self.presses[0] > 0:
            self.presses[0] -= 1
            os.kill(os.getpid(), signal.SIGINT)
        return self.untried[:count]


def press(times: int, *, after: int = 0) -> None:
    Interrupts.presses[:] = [times]
    Interrupts.waits[:] = [after]


def test_first_interrupt_finishes_the_block_and_the_same_call_plays_on(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite3"
    press(1)
    with pytest.raises(Interrupted, match=r"after 50 of 100 games.*the same call goes on"):
        salvo.play(Interrupts, layouts=LAYOUTS, db=path, **SMALL)
    assert len(salvo.open_record(path).games()) == 50
    record = salvo.play(Interrupts, layouts=LAYOUTS, db=path, **SMALL)
    assert len(record.games()) == LAYOUTS


def test_second_interrupt_stops_at_once_and_keeps_the_blocks_that_were_finished(
    tmp_path: Path,
) -> None:
    path = tmp_path / "kept.sqlite3"
    whole = salvo.play(Interrupts, layouts=50, **SMALL)
    press(2, after=int(whole.games()["first_turns"].sum()))
    with pytest.raises(Interrupted, match="after 50 of 100 games"):
        salvo.play(Interrupts, layouts=LAYOUTS, db=path, **SMALL)
    assert len(salvo.open_record(path).games()) == 50


def test_interrupted_games_of_a_temporary_record_are_kept_where_the_message_says() -> None:
    press(1)
    with pytest.raises(Interrupted) as interrupted:
        salvo.play(Interrupts, layouts=LAYOUTS, **SMALL)
    [path] = set(re.findall(r"'(\S+)'", str(interrupted.value)))
    assert f"the same call with db={path!r} goes on" in str(interrupted.value)
    assert len(salvo.open_record(path).games()) == 50
    record = salvo.play(Interrupts, layouts=LAYOUTS, db=path, **SMALL)
    assert len(record.games()) == LAYOUTS


def test_notebook_shows_an_interrupt_as_one_line() -> None:
    press(1)
    with pytest.raises(Interrupted) as interrupted:
        salvo.play(Interrupts, layouts=LAYOUTS, **SMALL)
    [line] = interrupted.value._render_traceback_()
    assert "\n" not in line


def test_interrupt_during_the_last_block_loses_nothing_and_is_none() -> None:
    press(1)
    assert len(salvo.play(Interrupts, layouts=10, **SMALL).games()) == 10


def test_interrupt_before_any_block_is_finished_keeps_nothing() -> None:
    press(2)
    with pytest.raises(Interrupted, match="before any games were finished"):
        salvo.play(Interrupts, layouts=LAYOUTS, **SMALL)

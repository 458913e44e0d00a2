"""Tables say which bots were left out because they do not play the rules."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SIZE = ("--rules", "ramesh-1", "--isolation", "none", "--layouts", "2")
TOLD = "Left out, since they do not play ramesh-1: picky."

PICKY = """
from arena import Bot, run


class Picky(Bot):
    def plays(self, rules):
        return rules.rows > 4


run(Picky)
"""


@pytest.mark.parametrize(("command", "format_"), [("solo", "table"), ("tournament", "markdown")])
def test_bots_left_out_are_named_under_the_tables(
    salvo: Callable[..., Any], tmp_path: Path, command: str, format_: str
) -> None:
    (tmp_path / "picky.py").write_text(PICKY, encoding="utf-8")
    games = ("--games", "2") if command == "tournament" else ()
    bots = ("uniform_random", "picky.py", "hunt_target")
    ran = salvo(command, *bots, *SIZE, *games, "--format", format_)
    assert ran.code == 0
    assert ran.out.rstrip().endswith(TOLD if format_ == "table" else f"- {TOLD}")
    assert "salvo: picky does not play ramesh-1 and is left out\n" in ran.err
    if command == "tournament":
        assert TOLD in (tmp_path / "salvo-report.html").read_text(encoding="utf-8")


def test_no_note_where_nobody_is_left_out(salvo: Callable[..., Any]) -> None:
    assert "Left out" not in salvo("solo", "uniform_random", *SIZE).out

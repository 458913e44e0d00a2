"""The costs of a tournament are measured, small, and right in their parts."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.errors import UserError
from benchmarks.__main__ import bench
from benchmarks.costs.processor import Amount

SMALL = ("--games", "2", "--layouts", "2", "--rounds", "1", "--simulations", "1")


@pytest.fixture(scope="module")
def outcome() -> tuple[str, dict[str, Any]]:
    arguments = ("tournament", *SMALL, "--isolation", "none", "--against", sys.prefix)
    result = CliRunner().invoke(bench, arguments, catch_exceptions=False)
    *text, last = result.output.splitlines()
    return "\n".join(text), json.loads(last)


def test_another_installation_is_measured_in_the_same_run(
    outcome: tuple[str, dict[str, Any]],
) -> None:
    text, found = outcome
    assert f"processor time, as a share of {sys.prefix}" in text
    assert found["ratio"] > 0


def test_starts_are_a_part_of_the_run(outcome: tuple[str, dict[str, Any]]) -> None:
    text, found = outcome
    assert 0 < found["share_of_starts"] < 1
    assert ["10", "20"] in [line.split()[:2] for line in text.splitlines()]  # pairs, and starts


def test_every_block_starts_its_bots_and_every_bot_introduces_itself() -> None:
    amount = Amount(games=200, layouts=500)
    assert amount.starts(4, 10) == 4 + 6 * 10 * 2 + 4 * 10
    assert amount.starts(4, 25) == 4 + 6 * 4 * 2 + 4 * 10


def test_folder_that_is_no_virtual_environment_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="it has no bin/python; name a virtual environment"):
        CliRunner().invoke(
            bench, ("tournament", *SMALL, "--against", str(tmp_path)), catch_exceptions=False
        )


def test_installation_without_salvo_is_refused_in_one_line(tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text("#!/bin/sh\necho no module named salvo >&2\nexit 1\n", encoding="utf-8")
    python.chmod(0o755)
    arguments = ("tournament", *SMALL, "--isolation", "none", "--against", str(tmp_path))
    with pytest.raises(UserError, match=r"its Salvo cannot be compiled: no module named salvo$"):
        CliRunner().invoke(bench, arguments, catch_exceptions=False)

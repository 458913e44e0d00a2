"""`python -m benchmarks transport`: which processor time it counts, and of which installations."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.errors import UserError
from benchmarks.costs.slices import fixtures, is_optimised
from benchmarks.transport import Settings, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads the clocks of processes")


def lines_of(against: Path | None = None) -> list[str]:
    settings = Settings(rounds=2, slices=2, isolation="none", rules="ramesh-1", against=against)
    return list(run(settings))


@pytest.fixture(scope="module")
def measured() -> tuple[str, dict[str, Any]]:
    """What it says, and its outcome, of this installation against itself."""
    *text, last = lines_of(Path(sys.prefix))
    return "\n".join(text), json.loads(last)


def installation(folder: Path, script: str) -> Path:
    """Return a virtual environment whose interpreter is a script."""
    python = folder / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    python.chmod(0o755)
    return folder


def test_whole_games_cost_more_than_their_round_trips(
    measured: tuple[str, dict[str, Any]],
) -> None:
    assert measured[1]["whole_us"] > measured[1]["turn_us"] > 0


def test_c_to_c_and_games_in_this_process_are_measured_too(
    measured: tuple[str, dict[str, Any]],
) -> None:
    assert measured[1]["ratio"] > 0
    assert measured[1]["in_process_us"] > 0


def test_another_installation_is_measured_in_the_same_run(
    measured: tuple[str, dict[str, Any]],
) -> None:
    text, outcome = measured
    assert f"\n{sys.prefix}: Salvo " in text
    ours, theirs = outcome["turn_us"], outcome["against"]["turn_us"]
    assert outcome["against"]["ratio"] == pytest.approx(ours / theirs, abs=0.01)


def test_the_build_of_the_interpreter_is_named(measured: tuple[str, dict[str, Any]]) -> None:
    built = "with" if measured[1]["optimised"] else "without"
    assert f"built {built} profile-guided optimisation" in measured[0]


def test_the_cores_of_this_process_are_its_own_again() -> None:
    before = os.sched_getaffinity(0)
    lines_of()
    assert os.sched_getaffinity(0) == before


def test_every_slice_has_the_same_games_by_other_ids() -> None:
    one, two = (list(fixtures(number)) for number in (1, 2))
    assert [game.seeds for game in one] == [game.seeds for game in two]
    assert not {game.id for game in one} & {game.id for game in two}


def test_a_folder_without_an_interpreter_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^--against .*: it has no bin/python; name a virtual"):
        lines_of(tmp_path)


def test_an_installation_without_salvo_is_refused_in_its_own_words(tmp_path: Path) -> None:
    other = installation(tmp_path, "echo 'No module named arena' >&2; exit 1")
    with pytest.raises(UserError, match=r"cannot be measured: No module named arena$"):
        lines_of(other)


def test_an_interpreter_that_says_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot be measured: it ended without a word$"):
        lines_of(installation(tmp_path, "exit 1"))


@pytest.mark.parametrize(
    ("build", "optimised"),
    [
        pytest.param({"CONFIG_ARGS": "'--enable-optimizations'"}, True, id="the usual option"),
        pytest.param(
            {"PGO_PROF_GEN_FLAG": "-fprofile-generate", "PGO_PROF_USE_FLAG": ""}, True, id="Debian"
        ),
        pytest.param(
            {"PGO_PROF_GEN_FLAG": "-fprofile-generate", "PGO_PROF_USE_FLAG": "-fprofile-use"},
            False,
            id="configured without it",
        ),
        pytest.param({"CONFIG_ARGS": None}, False, id="nothing is known"),
    ],
)
def test_the_build_of_an_interpreter_tells_whether_it_is_optimised(
    build: dict[str, Any], *, optimised: bool
) -> None:
    assert is_optimised(build) == optimised

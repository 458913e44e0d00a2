"""Help comes at once: what commands import before they run."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.store import Store
from benchmarks.start_up import TARGETS_S, command_lines
from salvo.cli.main import salvo

HEAVY = {"jinja2", "numpy", "pandas", "plotly", "scipy"}


def imported(code: str) -> set[str]:
    """Return what is imported when some code is done, in an interpreter of its own."""
    code = f"{code}\nimport sys\nprint('imported', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def invoke(words: list[str]) -> str:
    return (
        "from salvo.cli.main import salvo\n"
        f"assert salvo.main({words}, prog_name='salvo', standalone_mode=False) in (0, None)"
    )


def test_help_imports_no_command() -> None:
    modules = imported(invoke(["--help"]))
    assert not modules & HEAVY
    commands = {f"salvo.cli.{name}" for name in salvo.names}
    assert not modules & (commands | {"arena.store", "arena.isolation"})


def test_no_command_imports_what_is_slow_before_it_runs() -> None:
    code = (
        "from salvo.cli.main import salvo\n[salvo.get_command(None, name) for name in salvo.names]"
    )
    assert not imported(code) & HEAVY


def test_what_plays_imports_nothing_that_only_the_report_needs() -> None:
    code = "import salvo.cli.runs.running, salvo.cli.tournament, salvo.cli.solo, salvo.cli.match"
    assert not imported(code) & HEAVY


def test_server_imports_nothing_that_rates_before_it_is_asked_to() -> None:
    assert imported("import salvo.server.serving") & HEAVY <= {"jinja2"}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory, salvo_in: Callable[..., Any]) -> Path:
    """Return a record of two games."""
    folder = tmp_path_factory.mktemp("record")
    play = ("match", "stupid", "uniform_random", "--games", "2", "--rules", "row-5-3")
    assert salvo_in(folder, *play, "--isolation", "limits").code == 0
    return folder / "salvo.sqlite3"


def test_what_rates_nothing_imports_nothing_that_rates(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(record.parent)
    with Store(record, create=False) as store:
        [[game, *_], _] = store.results(store.tournament().name)
    lines = (
        *("tournaments", "games", "games --format csv", "games --forfeits", f"replay {game}"),
        *("rules", "rules classic", "new mine", "check stupid --isolation limits", "protocol"),
        *("doctor", "completion bash", "--version", f"verify {record} --isolation limits"),
    )
    in_turn = [
        f"{invoke(words.split())}\nimport sys\nassert not {HEAVY} & {{*sys.modules}}, {words!r}"
        for words in lines
    ]
    assert not imported("\n".join(in_turn)) & HEAVY


def test_list_of_bots_imports_nothing_that_rates() -> None:
    # Some of the bots that it asks import it.
    assert imported(invoke(["bots"])) & HEAVY == {"numpy"}


def test_completion_imports_only_the_command_that_is_completed() -> None:
    code = (
        "import os\n"
        "os.environ |= {'COMP_WORDS': 'salvo match hunt', 'COMP_CWORD': '2',\n"
        "    '_SALVO_COMPLETE': 'bash_complete'}\n"
        "from salvo.cli.main import salvo\n"
        "try: salvo.main([], prog_name='salvo', standalone_mode=False)\n"
        "except SystemExit: pass"
    )
    modules = imported(code)
    assert "salvo.cli.match" in modules
    assert "salvo.cli.tournament" not in modules
    assert not modules & HEAVY


@pytest.mark.parametrize("name", salvo.names)
def test_summary_is_what_the_help_of_the_command_begins_with(name: str) -> None:
    command = salvo.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    assert command.help is not None
    assert " ".join(command.help.split()).startswith(salvo.summary(name))


def test_benchmark_prints_the_processor_time_of_each_command_and_its_target() -> None:
    found: dict[str, float] = {}
    lines = list(command_lines(1, found))
    assert [line.split("s:")[0].split("target ")[1] for line in lines] == ["0.3 ", "0.5 ", "2 "]
    assert found.keys() == TARGETS_S.keys()
    assert all(seconds > 0 for seconds in found.values())

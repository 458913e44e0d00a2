"""Levels are proved: what the probe finds, which level is chosen, and how that is reported."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from arena.errors import UserError
from arena.isolation import (
    EXTRAS,
    MEANINGS,
    NOT_PROMISED,
    PROMISES,
    Child,
    Extra,
    Level,
    Program,
    choose,
    fixes,
    proof,
    prove,
    start,
)
from salvo.cli.doctor import doctor

PROBE = str(Path(proof.__file__).with_name("probe.py"))
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="levels with walls are Linux's")


@pytest.fixture
def fresh() -> Iterator[None]:
    prove.cache_clear()
    yield
    prove.cache_clear()


@pytest.fixture
def killer(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[int]]:
    """Have the first so many probes killed as they start; their ids are appended as they are."""

    def kill(most: int) -> list[int]:
        killed: list[int] = []

        def start_and_kill(level: Level, program: Program) -> Child:
            if len(killed) == most:
                return start(level, program)
            # A probe might end before it is killed; this does not.
            child = start(level, replace(program, argv=("sleep", "600")))
            while not (pid := child.bot_pid):
                time.sleep(0.001)
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)
            return child

        monkeypatch.setattr(proof, "start", start_and_kill)
        return killed

    return kill


@pytest.fixture
def without_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("PATH", str(tmp_path))
    prove.cache_clear()
    yield
    prove.cache_clear()


@pytest.fixture
def others_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the probe try another process for the arena: what it slows would stay slow."""
    canaries = proof._canaries

    @contextlib.contextmanager
    def with_another() -> Iterator[dict[str, Any]]:
        with canaries() as given, proof._sleeper() as another:
            yield given | {"arena": another.pid}

    monkeypatch.setattr(proof, "_canaries", with_another)


@needs_linux
@pytest.mark.usefixtures("others_are_tried")
@pytest.mark.parametrize("temporary", ["t", 100 * "t"])  # a socket of a longer name cannot be
def test_probe_breaks_every_promise_that_is_not_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, temporary: str
) -> None:
    (tmp_path / temporary).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / temporary))
    kept = {"environment", "descriptors", "death"}  # `none` makes and keeps these
    promises = tuple(name for name in MEANINGS if name not in kept)
    monkeypatch.setitem(PROMISES, Level.NONE, promises)
    outcome = proof._try(Level.NONE)
    assert isinstance(outcome, dict), outcome
    assert {name for name, broken in outcome.items() if broken} == set(promises)
    found = {name: (broken or "").split("; ") for name, broken in outcome.items()}
    for name, things in {
        "memory": ["272 MB could be allocated", "a file of 272 MB in memory could be created"],
        "files": ["a file of the arena could be read", "a folder of the arena could be listed"],
        "locks": ["flock works", "locks of parts of files work"],
        "forks": ["a process could be started"],
        "processes": [
            f"the {who} process could be {what}"
            for who in ("arena", "other")
            for what in (
                *("signalled", "given another priority", "moved to other processors"),
                *("inspected", "traced"),
            )
        ],
    }.items():
        assert found[name] == things
    # What root may, and what this kernel and its file systems have, is not the same everywhere.
    changed = [thing for thing in found["writing"] if "file of the arena" in thing]
    assert [thing for thing in changed if not thing.endswith("attribute")] == [
        f"a file of the arena could be {what}"
        for what in (
            *("appended to", "truncated", "truncated on opening", "given other permissions"),
            "given other times",
        )
    ]
    for kind in ("folder", "file"):
        assert f"a {kind} could be made in /tmp" in found["writing"]
    assert [thing for thing in found["network"] if "vsock" not in thing] == [
        *("the arena was reached by TCP", "the arena was reached by an abstract socket"),
        *("the arena was reached by a socket file", "a UDP socket could be made"),
        *("a local socket could be made", "a netlink socket could be made"),
        "a pair of datagram sockets could be made, which can send to other sockets by name",
    ]
    assert {"memfd_create works", "shmget works", "msgget works", "semget works"} < {
        *found["kernel"]
    }
    assert {"shared anonymous mmap works", "mmap of a stack works", "personality works"} < {
        *found["kernel"]
    }
    assert "/proc/self/oom_score_adj could be changed" in found["counters"]
    assert {"/proc/stat can be read", "/proc/uptime can be read"} < {*found["counters"]}
    assert found["host"][0] == "a file of the arena is visible"
    assert found["host"][2:] == ["another process is visible", "the host's name is visible"]
    assert "it may gain privileges" in found["privileges"]


def test_probe_sees_what_leaks_into_a_process() -> None:
    reader, writer = os.pipe()
    canaries = json.dumps({"promises": ["environment", "descriptors"], "variable": "PATH"})
    told = subprocess.run(
        [sys.executable, PROBE, canaries],
        check=True,
        capture_output=True,
        pass_fds=[reader],
    )
    os.close(reader)
    os.close(writer)
    assert json.loads(told.stdout) == {
        "environment": "the arena's variable PATH is visible",
        "descriptors": f"descriptor {reader} is open",
    }


def test_file_that_libffi_holds_open_is_no_descriptor_of_the_arena(tmp_path: Path) -> None:
    held = "import os\nheld = os.open(os.devnull, os.O_RDONLY)\n"
    (tmp_path / "ctypes.py").write_text(held, encoding="utf-8")
    told = subprocess.run(
        [sys.executable, PROBE, json.dumps({"promises": ["descriptors"]})],
        check=True,
        capture_output=True,
        env={"PYTHONPATH": str(tmp_path)},
    )
    assert json.loads(told.stdout) == {"descriptors": None}


@needs_linux
@pytest.mark.usefixtures("fresh")
def test_proof_is_kept() -> None:
    assert prove(Level.LIMITS) is prove(Level.LIMITS)


@needs_linux
@pytest.mark.usefixtures("without_bubblewrap")
def test_auto_steps_down_and_says_why() -> None:
    choice = choose("auto")
    assert choice.level is Level.LITE
    assert len(choice.steps_down) == 1
    assert "apt install bubblewrap" in choice.steps_down[0]


@pytest.mark.usefixtures("fresh")
def test_probe_that_was_killed_is_tried_again(
    level: Level, killer: Callable[[int], list[int]]
) -> None:
    killed = killer(proof.ATTEMPTS - 1)
    assert [promise for promise in prove(level) if not promise.held] == []
    assert len(killed) == proof.ATTEMPTS - 1


@pytest.mark.usefixtures("fresh")
def test_probes_that_are_all_killed_are_reported_as_killed_and_not_as_a_fault_of_the_level(
    level: Level, killer: Callable[[int], list[int]]
) -> None:
    killed = killer(1000)
    details = {promise.detail for promise in prove(level)}
    assert details == {"its probe was killed by SIGKILL, 3 times in a row"}
    assert all("kills processes on this machine" in promise.fix for promise in prove(level))
    assert len(killed) == proof.ATTEMPTS


@pytest.mark.usefixtures("fresh")
def test_requested_level_is_refused_with_what_happened_to_its_probe(
    killer: Callable[[int], list[int]],
) -> None:
    killer(1000)
    with pytest.raises(UserError, match="'limits' does not hold here: its probe was killed by SIG"):
        choose("limits")


@pytest.mark.usefixtures("without_bubblewrap")
def test_requested_level_is_refused_where_it_does_not_hold() -> None:
    with pytest.raises(UserError, match="apt install bubblewrap"):
        choose("sandbox")


@pytest.mark.usefixtures("fresh")
def test_none_is_always_available() -> None:
    assert choose("none").level is Level.NONE


@needs_linux
@pytest.mark.usefixtures("without_bubblewrap")
def test_choice_can_be_stored_as_json() -> None:
    stored = json.loads(choose("auto").to_json())
    assert stored["level"] == "lite"
    assert stored["promises"] == dict.fromkeys(PROMISES[Level.LITE], True)


@pytest.mark.usefixtures("fresh")
def test_one_broken_promise_breaks_a_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        proof, "_try", lambda level: dict.fromkeys(PROMISES[level]) | {"memory": "2 GB"}
    )
    with pytest.raises(UserError, match="promise 'memory': 2 GB"):
        choose("limits")
    assert choose("auto").level is Level.NONE


@pytest.mark.parametrize(
    ("setting", "value", "fix"),
    [
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "AppArmor"),
        ("kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"),
        ("user/max_user_namespaces", "0", "user.max_user_namespaces=10000"),
        ("", "", "bubblewrap 0.5 or newer"),
    ],
)
def test_fix_of_a_sandbox_names_the_setting(
    monkeypatch: pytest.MonkeyPatch, setting: str, value: str, fix: str
) -> None:
    monkeypatch.setattr(fixes.seccomp, "supported", lambda: None)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(fixes, "_in_container", lambda: False)
    monkeypatch.setattr(fixes, "_setting", lambda name: value if name == setting else None)
    assert fix in fixes.how_to_fix("sandbox", "bwrap: No permissions to create new namespace")


@pytest.mark.parametrize(
    ("level", "detail", "fix"),
    [
        ("sandbox", "prlimit is not installed", "apt install util-linux"),
        ("sandbox", "bwrap: Creating new namespace failed", "--security-opt seccomp=unconfined"),
        ("lite", "no Landlock", "Linux 5.13"),
        ("limits", "memory", "root"),
    ],
)
def test_fix_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, level: str, detail: str, fix: str
) -> None:
    monkeypatch.setattr(fixes.seccomp, "supported", lambda: None)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(fixes, "abi", lambda: 0)
    monkeypatch.setattr(fixes, "_in_container", lambda: True)
    assert fix in fixes.how_to_fix(level, detail)


def test_fix_of_an_old_landlock_names_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixes.seccomp, "supported", lambda: None)
    monkeypatch.setattr(fixes, "abi", lambda: 2)
    assert "has version 2" in fixes.how_to_fix("lite", "truncated")


def test_machine_without_a_table_of_calls_has_no_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert "riscv64" in fixes.how_to_fix("lite", "")


@needs_linux
def test_doctor_prints_a_row_a_promise() -> None:
    told = CliRunner().invoke(doctor, catch_exceptions=False).output
    assert all(meaning in told for meaning in MEANINGS.values())
    assert "--isolation auto is '" in told


@needs_linux
def test_doctor_says_what_no_level_promises() -> None:
    told = CliRunner().invoke(doctor, catch_exceptions=False).output
    listed, _, where = told.partition("What no level promises:")[2].rpartition("\n\n")
    assert " ".join(listed.split()) == " ".join(f"- {line}" for line in NOT_PROMISED)
    assert where.startswith("docs/promises.md")


@needs_linux
@pytest.mark.usefixtures("without_bubblewrap")
def test_doctor_says_how_to_fix_a_level() -> None:
    told = CliRunner().invoke(doctor, catch_exceptions=False).output
    assert "sandbox is not available: bwrap is not installed" in told
    assert "fix: install bubblewrap" in told


@needs_linux
def test_doctor_says_what_a_machine_refuses_to_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    if not all(promise.held for promise in prove(Level.SANDBOX)):
        pytest.skip("isolation 'sandbox' does not hold here: there are no boxes")
    # As `refused` says it in a container that hides parts of its /proc from ordinary users.
    monkeypatch.setattr("salvo.cli.doctor.refused", lambda _: "Can't mount proc")
    told = CliRunner().invoke(doctor, catch_exceptions=False).output
    assert all(f"- NO: {meaning}: Can't mount proc\n" in told for meaning in EXTRAS.values())


@needs_linux
def test_doctor_prints_json() -> None:
    told = json.loads(CliRunner().invoke(doctor, ["--format", "json"]).output)
    assert told["auto"] in list(Level)
    assert [extra["name"] for extra in told["extras"]] == list(Extra)
    assert set(told["levels"]) == set(Level)


@needs_linux
def test_sandbox_holds_where_everything_must_run() -> None:
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed: apt install bubblewrap")
    assert [promise for promise in prove(Level.SANDBOX) if not promise.held] == []

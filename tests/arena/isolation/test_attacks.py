"""Attacks by level and by who runs the arena: what a bot can reach beyond its own process."""

import contextlib
import functools
import json
import os
import secrets
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.isolation import Level

HERE = Path(__file__).parent
ATTACKS = sorted(path.stem for path in (HERE / "attacks").glob("*.py") if path.stem != "hostile")
STAGE_S = 30.0
LOOK_S = 0.25
FEWEST_CONTROLS = 60
NOBODY = "65534"

SEEN_AT_LITE = {"measure_database", "see_opponent"}
"""What `lite` does not hide, as its docstring says: Landlock does not see stat, so whether a path
exists, with its size and times, is visible. That reaches nothing, and says nothing about a game."""

CONTAINED_BY_LIMITS = [
    *("bomb_of_threads", "hoard_memory", "hoard_memory_made_read_only", "hoard_memory_shared")
]
"""Accidents rather than attacks: `limits` promises to hold these, and nothing of the others."""


@functools.cache
def outcomes(who: str, level: Level) -> dict[str, str]:
    """Return what each attack reached that a level promises to hold, nothing where it failed.

    An attack that ends or stops the arena, which ``who`` runs, has reached it.
    """
    reached: dict[str, str] = {}
    attacks = CONTAINED_BY_LIMITS if level is Level.LIMITS else ATTACKS
    while left := [name for name in attacks if name not in reached]:
        tried = ""
        for line in stage_lines(who, level, left):
            if line is None:
                reached[tried] = "the arena stopped"
                break
            report = json.loads(line)
            tried = report["tries"]
            reached.update(report["reached"])
        assert tried, f"the stage did not start as {who} at {level}"
        reached.setdefault(tried, "the arena ended")
    return reached


def stage_lines(who: str, level: Level, attacks: list[str]) -> Iterator[bytes | None]:
    """Yield what the stage says, None when it says nothing for too long."""
    command = [sys.executable, str(HERE / "stage.py"), level.value, *attacks]
    with subprocess.Popen(
        [*as_who(who), *command],
        stdout=subprocess.PIPE,
        # An attack that succeeds can end the stage in many ways, none of them of interest.
        stderr=None if "SALVO_SHOW" in os.environ else subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,
        env={**os.environ, "SALVO_SECRET": f"secret-{secrets.token_hex(8)}"},
    ) as stage:
        assert stage.stdout is not None
        try:
            said = b""
            pid = 0
            while wait(stage.stdout.fileno(), pid):
                data = os.read(stage.stdout.fileno(), 65_536)
                if not data:
                    return
                *lines, said = (said + data).split(b"\n")
                for line in lines:
                    pid = json.loads(line)["pid"]
                    yield line
            yield None
        finally:
            # With what stands between, and even if it is stopped.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(stage.pid, signal.SIGKILL)


def wait(descriptor: int, pid: int) -> bool:
    """Wait for the stage to say something; return False if it was stopped, or says nothing."""
    for _ in range(int(STAGE_S / LOOK_S)):
        if select.select([descriptor], [], [], LOOK_S)[0]:
            return True
        stat = Path(f"/proc/{pid}/stat")
        if pid and stat.exists() and stat.read_text(encoding="utf-8").rpartition(")")[2][1] == "T":
            return False
    return False


def as_who(who: str) -> list[str]:
    """Return what starts a command as root, or as an ordinary user who can read the interpreter."""
    if who == "root" or os.geteuid() != 0:
        return []
    # setpriv starts its command with root's right to look everywhere; what env starts has none.
    user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "env"]
    seen = subprocess.run(
        [*user, sys.executable, "-c", "import arena, msgspec"],
        check=False,
        cwd="/",
        stderr=subprocess.DEVNULL,
    )
    if seen.returncode == 0:
        return user
    # The interpreter lies behind folders that only root may enter: show the user such folders
    # with nothing in them but what leads to it.
    shown = {Path(p).resolve() for p in (sys.prefix, sys.base_prefix, HERE.parent.parent)}
    closed = {
        parent for path in shown for parent in path.parents if not parent.stat().st_mode & 0o001
    }
    binds = []
    for path in sorted(shown | closed, key=lambda path: len(path.parts)):
        if path in closed:
            binds += ["--perms", "0755", "--tmpfs", str(path)]
        elif closed & set(path.parents):
            for parent in reversed(path.parents):
                if closed & set(parent.parents) and parent not in closed:
                    binds += ["--perms", "0755", "--dir", str(parent)]
            binds += ["--bind", str(path), str(path)]
    return ["bwrap", "--dev-bind", "/", "/", *binds, "--cap-add", "ALL", *user]


def table() -> list[str]:
    """Return the table of attacks, a column a level and a user, of those that were run."""
    columns = {(level, who): outcomes(who, level) for who in people() for level in Level}
    width = max(map(len, ATTACKS))
    heads = [f"{level} {who}" for level, who in columns]
    lines = [f"{'':{width}}  {'  '.join(heads)}"]
    for name in ATTACKS:
        cells = []
        for head, ((level, who), reached) in zip(heads, columns.items(), strict=True):
            mark = ("seen" if name in seen(level) else "yes") if reached.get(name) else "-"
            mark = mark if name in reached else "not tried"
            control = outcomes(who, Level.NONE)[name]
            cells.append(f"{mark if control else 'none here':{len(head)}}")
        lines.append(f"{name:{width}}  {'  '.join(cells)}".rstrip())
    totals = []
    for head, ((level, _), reached) in zip(heads, columns.items(), strict=True):
        total = sum(bool(how) for name, how in reached.items() if name not in seen(level))
        totals.append(f"{total:<{len(head)}}")
    lines.append(f"{f'reached, of {len(ATTACKS)}':{width}}  {'  '.join(totals)}".rstrip())
    return lines


def seen(level: Level) -> set[str]:
    """Return the attacks that look at what a level does not hide."""
    return SEEN_AT_LITE if level is Level.LITE else set()


def people() -> list[str]:
    return ["root", "user"] if os.geteuid() == 0 else ["user"]


@pytest.fixture(
    params=[pytest.param("root", marks=pytest.mark.long("all attacks once more")), "user"]
)
def who(request: pytest.FixtureRequest) -> str:
    if sys.platform != "linux":
        pytest.skip("levels with walls are Linux's")
    name = str(request.param)
    if name not in people():
        pytest.skip("these tests are not run by root, and run as this user only")
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed: apt install bubblewrap")
    return name


def test_every_level_holds(who: str) -> None:
    command = [*as_who(who), sys.executable, "-m", "salvo", "doctor", "--format", "json"]
    told = subprocess.run(command, check=True, capture_output=True, cwd="/").stdout
    levels = json.loads(told)["levels"]
    assert {name: level["holds"] for name, level in levels.items()} == dict.fromkeys(Level, True)


@pytest.mark.long("all attacks")
def test_attacks_succeed_without_isolation(who: str) -> None:
    controls = [name for name, reached in outcomes(who, Level.NONE).items() if reached]
    assert len(controls) >= FEWEST_CONTROLS


@pytest.mark.parametrize(
    "level", [pytest.param(Level.LITE, marks=pytest.mark.long("all attacks")), Level.SANDBOX]
)
def test_no_attack_reaches_beyond_its_own_process(who: str, level: Level) -> None:
    reached = {name: how for name, how in outcomes(who, level).items() if how}
    assert not reached.keys() - seen(level), reached


@pytest.mark.long("all attacks")
def test_existence_of_paths_is_all_that_shows_at_lite(who: str) -> None:
    lite = outcomes(who, Level.LITE)
    assert "asked" not in lite["see_opponent"]
    assert all("secret" not in lite[name] for name in SEEN_AT_LITE)


@pytest.mark.long("all attacks")
def test_limits_contain_accidents(who: str) -> None:
    reached = outcomes(who, Level.LIMITS)
    assert reached == dict.fromkeys(CONTAINED_BY_LIMITS, "")


@pytest.mark.long("all attacks")
def test_table_of_attacks(who: str) -> None:
    lines = table()
    if who == people()[-1]:
        print("\n" + "\n".join(lines))  # noqa: T201 - it is to be looked at: pytest -s
    assert len(lines) == len(ATTACKS) + 2

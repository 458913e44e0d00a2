"""Bots start, run and end at every level."""

import ast
import contextlib
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.isolation import Child, Level, Program
from arena.isolation.orphans import end_abandoned

COMPUTES = """
import asyncio, threading, time, zoneinfo
import msgspec
import numpy as np
from arena import Bot
print(np.ones((50, 50)).dot(np.ones((50, 50))).sum())
thread = threading.Thread(target=print, args=("thread",))
thread.start()
thread.join()
asyncio.run(asyncio.sleep(0))
with open("/dev/null", "w") as nothing:
    print("void", file=nothing)
print(len(open(__file__).read()) > 10)
"""
DAEMONISES = """
import contextlib, os, time
try:
    first = os.fork()
except OSError as error:
    print("refused", flush=True)
    time.sleep(30)
if first == 0:
    with contextlib.suppress(OSError):
        os.setsid()
    for number in range(5):
        if os.fork() == 0:
            print(os.getpid(), flush=True)
            time.sleep(30)
    os._exit(0)
os.waitpid(first, 0)
time.sleep(30)
"""
COUNTS = """
import time
while True:
    print("tick", flush=True)
    time.sleep(0.005)
"""
STARTS_AND_DIES = """
import os, signal, sys, time
from arena.isolation import Level, Program, start
program = Program((sys.executable, "-c", "import time; time.sleep(30)"), "/", ())
child = start(Level(sys.argv[1]), program)
while child.bot_pid is None:
    time.sleep(0.01)
time.sleep(0.2)
print(child.bot_pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""

SLEEPS = "import time; time.sleep(29.125)"
STARTS_AND_WAITS = f"""
import sys, time
from arena.isolation import Level, Program, start
start(Level.SANDBOX, Program((sys.executable, "-c", "{SLEEPS}"), "/", ()))
time.sleep(5)
"""

PATIENCE_S = 25.0
"""After this a test has failed; processes that stay do so for longer."""

Play = Callable[..., Any]
Start = Callable[[Level, Program], Child]
Make = Callable[..., Program]


def read_line(child: Child, patience_s: float = PATIENCE_S) -> bytes:
    ready = select.select([child.stdout], [], [], patience_s)[0]
    return os.read(child.stdout, 65_536) if ready else b""


def test_python_bot_computes(level: Level, play: Play) -> None:
    ended = play(level, COMPUTES)
    assert (ended.said, ended.status) == ("125000.0\nthread\nTrue\n", "exited with code 0"), ended


def test_node_bot_computes(level: Level, play: Play, folder: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed: apt install nodejs")
    script = folder / "bot.js"
    script.write_text("setTimeout(() => console.log(1 + 1), 5)", encoding="utf-8")
    ended = play(level, Program(("node", str(script)), str(folder), (str(script),)))
    assert (ended.said, ended.status) == ("2\n", "exited with code 0"), ended


def test_executable_bot_in_its_own_folder_runs(level: Level, play: Play, folder: Path) -> None:
    script = folder / "bot"
    script.write_text("#!/bin/sh\nread line\necho got $line\nexit 3\n", encoding="utf-8")
    script.chmod(0o755)
    ended = play(
        level, Program(("/bin/sh", "-c", "echo $PWD; exit 3"), str(folder), (str(script),))
    )
    assert (ended.said, ended.status) == (f"{folder}\n", "exited with code 3"), ended


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("import os; os.abort()", "was killed by SIGABRT"),
        ("import os; os.kill(os.getpid(), 11)", "was killed by SIGSEGV"),
        ("raise SystemExit(7)", "exited with code 7"),
    ],
)
def test_end_is_reported_in_words(level: Level, play: Play, code: str, status: str) -> None:
    assert play(level, code).status == status


def test_missing_program_is_an_os_error(level: Level, started: Start, folder: Path) -> None:
    for name in ("no-such-program", "./no-such-program", "/no/such/program"):
        with pytest.raises(FileNotFoundError):
            started(level, Program((name,), str(folder), ()))


@pytest.mark.parametrize("level", [Level.LITE, Level.SANDBOX], indirect=True)
def test_folder_that_became_a_link_to_another_is_not_granted(
    level: Level, started: Start, folder: Path
) -> None:
    own, other = folder / "own", folder / "other"
    own.mkdir()
    other.mkdir()
    program = Program(("sh", "-c", "cat secret"), str(own), (str(own),))
    own.rename(folder / "before")
    own.symlink_to(other)
    with pytest.raises(OSError, match="became a link"):
        started(level, program)


def test_program_that_is_not_executable_is_an_os_error(
    level: Level, started: Start, folder: Path
) -> None:
    (folder / "bot").write_text("#!/bin/sh\n", encoding="utf-8")
    with pytest.raises(PermissionError):
        started(level, Program(("./bot",), str(folder), (str(folder),)))


def test_paused_bot_does_nothing_until_it_is_resumed(
    level: Level, started: Start, program: Make
) -> None:
    child = started(level, program(COUNTS))
    assert read_line(child)
    child.pause()
    time.sleep(0.05)
    read_line(child, 0)
    assert not read_line(child, 0.2)
    child.resume()
    assert read_line(child)


def test_paused_bot_is_ended(level: Level, started: Start, program: Make) -> None:
    child = started(level, program(COUNTS))
    assert read_line(child)
    child.pause()
    child.kill()
    assert child.was_killed()


def test_kill_leaves_no_process_and_no_descriptor(
    level: Level, started: Start, program: Make
) -> None:
    started(level, program("", processes=True)).kill()  # the first opens what the arena keeps
    before = open_descriptors()
    child = started(level, program(DAEMONISES, processes=True))
    said = b""
    deadline = time.monotonic() + PATIENCE_S
    while said.count(b"\n") < 5 and b"refused" not in said and time.monotonic() < deadline:
        said += read_line(child)
    assert said
    child.times_s()  # which opens descriptors
    began = own_processes(str(child._origin.mark))
    assert began
    child.kill()
    assert not own_processes(str(child._origin.mark))
    assert open_descriptors() == before


@pytest.mark.parametrize("level", [Level.SANDBOX], indirect=True)
def test_kill_waits_for_a_box_that_takes_its_time(
    level: Level, started: Start, program: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.isolation.child.BOX_ENDS_S", 0.0)  # as on a busy machine
    for _ in range(5):
        child = started(level, program(DAEMONISES, processes=True))
        assert read_line(child)
        child.kill()
        assert not own_processes(str(child._origin.mark))


def open_descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def own_processes(mark: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            variables = path.read_bytes()
        except OSError:
            continue
        if mark.encode() in variables and path.parent.name != str(os.getpid()):
            found.append(path.parent.name)
    return found


@pytest.mark.parametrize("name", [Level.LIMITS, Level.LITE, Level.SANDBOX])
def test_bot_ends_with_its_arena(name: Level) -> None:
    if name is Level.SANDBOX and shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed: apt install bubblewrap")
    told = subprocess.run(
        [sys.executable, "-c", STARTS_AND_DIES, name], check=False, capture_output=True, cwd="/"
    )
    bot = Path("/proc", told.stdout.decode().strip())
    assert bot.name.isdigit(), told
    deadline = time.monotonic() + PATIENCE_S
    while runs(bot):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def runs(process: Path) -> bool:
    """Return whether a process is there, and not only until it is reaped."""
    with contextlib.suppress(OSError):  # it may go while it is looked at
        return "\nState:\tZ" not in (process / "status").read_text()
    return False


def test_bot_starts_processes_where_it_may(level: Level, play: Play) -> None:
    code = "import subprocess; print(subprocess.run(['true']).returncode)"
    ended = play(level, code, processes=True)
    assert (ended.said == "0\n") == (level is not Level.LITE)


def test_memory_is_bounded_by_the_program(level: Level, play: Play) -> None:
    ended = play(level, "print(len(bytearray(300 << 20)))", memory_mb=256)
    assert ("MemoryError" in ended.complained) == (level is not Level.NONE)


def test_times_report_what_the_bot_used(level: Level, started: Start, program: Make) -> None:
    code = "import time\nt = time.process_time()\nwhile time.process_time() < t + 0.1: pass\n"
    child = started(level, program(code + "print(1, flush=True)\ntime.sleep(30)"))
    assert read_line(child)
    times = child.times_s()
    if times is None:
        pytest.skip("this kernel keeps no book of waiting times")
    assert times[0] >= 0.1
    assert times[1] >= 0


def test_threads_that_wait_for_one_another_have_waited_no_longer_than_the_clock(
    level: Level, started: Start, program: Make
) -> None:
    code = """
import hashlib, threading
work = lambda: hashlib.pbkdf2_hmac("sha256", b"", b"", 100_000)
threads = [threading.Thread(target=work) for _ in range(8)]
print(1, flush=True)
for thread in threads: thread.start()
for thread in threads: thread.join()
print(2, flush=True)
input()
"""
    child = started(level, program(code))
    assert read_line(child)
    before, begun = child.times_s(), time.monotonic()
    assert read_line(child)
    passed_s, after = time.monotonic() - begun, child.times_s()
    if before is None or after is None:
        pytest.skip("this kernel keeps no book of waiting times")
    assert after[1] - before[1] <= passed_s


def test_bots_of_root_share_no_uid(level: Level, started: Start, program: Make) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give each bot a uid of its own")
    children = [
        started(level, program("import os; print(os.getuid(), flush=True); input()"))
        for _ in range(2)
    ]
    told = {read_line(child) for child in children}
    assert (told == {b"0\n"}) if level is Level.NONE else (b"0\n" not in told and len(told) == 2)


def test_folder_of_a_bot_is_listed_and_its_neighbour_is_not(
    level: Level, play: Play, folder: Path
) -> None:
    for name in ("own", "other"):
        (folder / name).mkdir()
        (folder / name / "weights").write_text("1", encoding="ascii")
    (folder / "own" / "bot.py").write_text(
        "import os, weights_reader\nprint(os.listdir('.'))\nprint(os.listdir('../other'))\n",
        encoding="ascii",
    )
    (folder / "own" / "weights_reader.py").write_text("", encoding="ascii")
    own = str(folder / "own")
    argv = (sys.executable, "-B", "-P", f"{own}/bot.py")
    ended = play(level, Program(argv, own, (own,), import_folder=own))
    lines = ended.said.splitlines()
    assert sorted(ast.literal_eval(lines[0])) == ["bot.py", "weights", "weights_reader.py"], ended
    assert (len(lines) == 2) == (level in {Level.NONE, Level.LIMITS}), ended


def test_boxes_of_an_arena_that_was_killed_are_ended_by_the_next(started: Start) -> None:
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed: apt install bubblewrap")
    # Killed while it builds a box, an arena cannot take the box along.
    for step in range(8):
        killed = f"timeout -s KILL {0.15 + step * 0.01} {sys.executable} -c '{STARTS_AND_WAITS}'"
        subprocess.run(["/bin/sh", "-c", killed], check=False, cwd="/", stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + PATIENCE_S
    left = True
    while left:
        assert time.monotonic() < deadline
        # One that still builds its box, orphaned already, is found when it is built.
        time.sleep(0.1)
        end_abandoned.cache_clear()
        started(Level.NONE, Program(("true",), "/", ()))
        left = bool(processes_with(SLEEPS))


def processes_with(text: str) -> list[str]:
    """Return the processes that run a piece of Python, which their arena had too in its own."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if text.encode() in path.read_bytes().split(b"\0"):
                found.append(path.parent.name)
    return found

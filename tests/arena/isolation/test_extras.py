"""Boxes are given extras beside their promises: a /proc of its own, a temporary folder."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.isolation import Child, Extra, Level, Program, levels, refused
from arena.isolation.slots import take_slot

Play = Callable[..., Any]
Make = Callable[..., Program]
Start = Callable[[Level, Program], Child]

sandbox = pytest.mark.parametrize("level", [Level.SANDBOX], indirect=True)
lite = pytest.mark.parametrize("level", [Level.LITE], indirect=True)
walled = pytest.mark.parametrize("level", [Level.LITE, Level.SANDBOX], indirect=True)

LOOKS_FOR_A_FOLDER = "import tempfile; print(tempfile.gettempdir())"
OF_A_PROCESS = sorted(
    path.name for path in Path("/proc/self").glob("*") if path.is_file() and not path.is_symlink()
)
OPENS = f"""
for name in {OF_A_PROCESS}:
    if name not in ("clear_refs", "mem"):
        try:
            open("/proc/self/" + name, "rb").read(1)
            print(name)
        except OSError:
            pass
"""
FILLS = """
import os, tempfile
written = 0
try:
    while True:
        descriptor, path = tempfile.mkstemp()
        for _ in range(4):
            written += os.write(descriptor, bytes(1 << 16))
except OSError as error:
    print(written >> 20, os.strerror(error.errno))
"""
MAKES_FILES = """
import os, tempfile
from pathlib import Path
folder = tempfile.mkdtemp()
made = 0
try:
    while True:
        Path(folder, str(made)).touch()
        made += 1
except OSError as error:
    print(made <= 4096, os.strerror(error.errno))
"""


def require(extra: Extra) -> None:
    why = refused(extra)
    if why is not None:
        pytest.skip(f"this machine gives boxes none: {why}")


@sandbox
def test_network_takes_no_more_than_the_sandbox(level: Level) -> None:
    assert level is Level.SANDBOX
    assert refused(Extra.NETWORK) is None  # else all tests of it would be skipped


@walled
def test_a_bot_finds_itself_in_proc(level: Level, play: Play) -> None:
    if level is Level.SANDBOX:
        require(Extra.PROC)
    code = "import os; print(open('/proc/self/stat').read().split()[0] == str(os.getpid()))"
    assert play(level, code).said == "True\n"


@sandbox
def test_box_of_a_bot_that_wants_no_proc_has_none(level: Level, play: Play) -> None:
    assert play(level, "import os; print(os.path.exists('/proc'))", proc=False).said == "False\n"


@walled
def test_a_bot_opens_of_its_own_entry_what_runtimes_need_alone(level: Level, play: Play) -> None:
    if level is Level.SANDBOX:
        require(Extra.RULES)
    ended = play(level, OPENS)
    assert ended.said.split() == [
        *("auxv", "cgroup", "cmdline", "comm", "environ", "limits", "maps", "stat", "statm"),
        "status",
    ], ended


@sandbox
def test_box_of_a_bot_that_starts_processes_has_no_rules(level: Level, play: Play) -> None:
    require(Extra.PROC)
    code = """
import subprocess, sys
print(subprocess.run([sys.executable, "-c", "print(len(open('/proc/self/maps').read()) > 0)"]))
print(len(open("/proc/self/maps").read()) > 0)
"""
    assert play(level, code, processes=True).said.count("True") == 2


@sandbox
def test_box_without_rules_has_its_proc_all_the_same(
    level: Level, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    require(Extra.PROC)
    without = {Extra.RULES: "the kernel has no Landlock"}
    monkeypatch.setattr("arena.isolation.levels.refused", without.get)
    assert "smaps" in play(level, OPENS).said.split()


@sandbox
@pytest.mark.parametrize("rules", [True, False])
def test_no_file_about_the_whole_machine_can_be_opened(
    level: Level, play: Play, monkeypatch: pytest.MonkeyPatch, *, rules: bool
) -> None:
    require(Extra.RULES if rules else Extra.PROC)
    without = {} if rules else {Extra.RULES: "the kernel has no Landlock"}
    monkeypatch.setattr("arena.isolation.levels.refused", without.get)
    code = """
from pathlib import Path
print(len(list(Path("/proc").iterdir())) > 30)
for folder in ("", "fs", "sys", "sysvipc", "pressure", "driver", "irq", "tty", "bus"):
    for path in Path("/proc", folder).glob("*" if not folder else "**/*"):
        try:
            if not path.is_symlink():  # to what is the reader's own
                path.open("rb").close()
                print(path)
        except OSError:
            pass
"""
    assert sorted(play(level, code).said.split()) == ["/proc/cpuinfo", "/proc/meminfo", "True"]


@sandbox
def test_first_process_of_a_box_shows_nothing(level: Level, play: Play) -> None:
    require(Extra.PROC)
    code = "import os; print(os.listdir('/proc/1'))"
    assert play(level, code, processes=True).said == "[]\n"


@walled
def test_bot_starts_with_signals_as_a_program_expects_them(level: Level, play: Play) -> None:
    # Python itself ignores both: what a bot inherits shows in its status before it began.
    program = Program(("grep", "SigIgn", "/proc/self/status"), "/", ())
    assert play(level, program).said.split()[1] == "0" * 16


@sandbox
def test_proc_of_a_box_holds_its_own_processes(level: Level, play: Play) -> None:
    require(Extra.PROC)
    code = "import os; print(sum(name.isdigit() for name in os.listdir('/proc')))"
    assert play(level, code).said == "2\n"  # the box's first process, and the bot


@sandbox
def test_memory_of_the_machine_is_the_bots_own(level: Level, play: Play) -> None:
    require(Extra.PROC)
    code = "print(open('/proc/meminfo').readline().split()[1])"
    assert play(level, code, memory_mb=100).said == "102400\n"


@sandbox
def test_processors_are_shown_without_their_clock_rates(level: Level, play: Play) -> None:
    require(Extra.PROC)
    code = "text = open('/proc/cpuinfo').read(); print('processor' in text, 'MHz' in text)"
    assert play(level, code).said == "True False\n"


@lite
def test_what_counts_for_the_whole_machine_stays_closed_at_lite(level: Level, play: Play) -> None:
    code = """
for name in ("self/net/dev", "self/mountinfo", "meminfo", "stat", "1/status"):
    try:
        print(open(f"/proc/{name}").read())
    except PermissionError:
        pass
"""
    assert play(level, code).said == ""


def test_box_goes_without_what_the_machine_refuses(program: Make) -> None:
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed: apt install bubblewrap")
    slot = take_slot() if os.geteuid() == 0 else None
    child = levels._start_with_extras(
        program("import os; print(os.path.exists('/proc/self'))"), slot, []
    )
    try:
        child.wait(25)
        assert os.read(child.stdout, 100) == b"False\n"
    finally:
        child.kill()


@sandbox
def test_temporary_folder_is_bounded_in_bytes(level: Level, play: Play) -> None:
    require(Extra.TEMPORARY)
    assert play(level, FILLS, temporary_mb=2).said == "2 No space left on device\n"


@sandbox
def test_temporary_folder_is_bounded_in_files(level: Level, play: Play) -> None:
    require(Extra.TEMPORARY)
    assert play(level, MAKES_FILES, temporary_mb=64).said == "True No space left on device\n"


@sandbox
def test_temporary_folder_is_new_for_each_process(level: Level, play: Play) -> None:
    require(Extra.TEMPORARY)
    code = """
import os, shutil, tempfile
from pathlib import Path
print(any(path.name.startswith("salvo-left") for path in Path(tempfile.gettempdir()).iterdir()))
Path(tempfile.gettempdir(), "salvo-left").write_text("left")
with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile(dir=folder) as file:
    os.truncate(file.name, 10)
"""
    for _ in range(2):
        ended = play(level, code, temporary_mb=1)
        assert (ended.said, ended.status) == ("False\n", "exited with code 0"), ended


@sandbox
def test_files_of_the_temporary_folder_can_be_moved(level: Level, play: Play) -> None:
    require(Extra.TEMPORARY)
    code = """
import os, tempfile
first, second = tempfile.mkdtemp(), tempfile.mkdtemp()
os.mkdir(first + "/inner")
os.rename(first + "/inner", second + "/inner")
print(os.listdir(first), os.listdir(second))
"""
    assert play(level, code, temporary_mb=1).said == "[] ['inner']\n"


@walled
def test_no_bot_has_a_temporary_folder_unless_it_asks(level: Level, play: Play) -> None:
    assert "No usable temporary directory" in play(level, LOOKS_FOR_A_FOLDER).complained

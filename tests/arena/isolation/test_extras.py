"""What a box is given beside its promises: a /proc of its own, a temporary folder."""

import os
import shutil
import sys
from collections.abc import Callable
from typing import Any

import pytest

from arena.isolation import Child, Extra, Level, Program, box, refused
from arena.isolation.slots import take_slot

Play = Callable[..., Any]
Make = Callable[..., Program]
Start = Callable[[Level, Program], Child]

sandbox = pytest.mark.parametrize("level", [Level.SANDBOX], indirect=True)
lite = pytest.mark.parametrize("level", [Level.LITE], indirect=True)
walled = pytest.mark.parametrize("level", [Level.LITE, Level.SANDBOX], indirect=True)

LOOKS_FOR_A_FOLDER = "import tempfile; print(tempfile.gettempdir())"
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


@walled
def test_a_bot_finds_itself_in_proc(level: Level, play: Play) -> None:
    if level is Level.SANDBOX:
        require(Extra.PROC)
    code = "import os; print(open('/proc/self/stat').read().split()[0] == str(os.getpid()))"
    assert play(level, code).said == "True\n"


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
    child = box._start(program("import os; print(os.path.exists('/proc/self'))"), slot, [])
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


@walled
def test_no_bot_has_a_temporary_folder_unless_it_asks(level: Level, play: Play) -> None:
    assert "No usable temporary directory" in play(level, LOOKS_FOR_A_FOLDER).complained

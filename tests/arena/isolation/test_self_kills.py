"""No bot behind a filter can end so that it looks killed from outside, however it tries.

Each file in ``self_kills`` is a trick. Without a filter most of them work, which shows that they
are tricks; where they do, it is for the referee to see that nobody gains by it.
"""

import platform
import shutil
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.isolation import Child, Level, Program
from arena.player import Fault, ProcessTransport, Unsure

HERE = Path(__file__).parent / "self_kills"
TRICKS = sorted(path.stem for path in HERE.glob("*.py") if path.stem != "calls")
PATIENCE_S = 20.0

WORK_WITHOUT_A_FILTER = {
    *("end_of_child", "end_of_child_of_clone3", "kill", "kill_by_child", "kill_by_pidfd"),
    *("kill_group", "kill_thread", "limit_of_processor_time", "queue_signal"),
    *("signal_of_descriptor", "timer"),
}
"""Those that need neither a privilege nor a part of the kernel that may be missing."""

LONG = {"limit_of_processor_time"}

Start = Callable[[Level, Program], Child]

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="filters are Linux's")


def broken_program() -> bytes:
    """Return a program that is to lie where no memory can be, which is seen when it is loaded."""
    machine = {"x86_64": 62, "aarch64": 183}.get(platform.machine(), 0)
    header = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    nowhere = 2**64 - 2**16
    header += struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, nowhere, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    return header + struct.pack("<IIQQQQQQ", 1, 5, 0, nowhere, nowhere, 4096, 4096, 4096)


@pytest.fixture
def trick(folder: Path) -> Callable[..., Program]:
    """Make a program of a trick, in a folder of its own."""
    shutil.copytree(HERE, folder / "tricks", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tricks" / "broken").write_bytes(broken_program())
    (folder / "tricks" / "broken").chmod(0o755)

    def make(name: str, *, processes: bool = False) -> Program:
        own = str(folder / "tricks")
        argv = (sys.executable, "-B", "-P", f"{own}/{name}.py")
        return Program(argv, own, (own,), import_folder=own, processes=processes)

    return make


@pytest.mark.parametrize("name", TRICKS)
@pytest.mark.parametrize(
    ("level", "processes"),
    [(Level.LITE, False), (Level.SANDBOX, False), (Level.SANDBOX, True)],
    indirect=["level"],
)
def test_no_bot_behind_a_filter_seems_killed_from_outside(
    level: Level, started: Start, trick: Callable[..., Program], name: str, *, processes: bool
) -> None:
    child = started(level, trick(name, processes=processes))
    child.wait(PATIENCE_S)
    assert child.status() is not None
    assert not child.was_killed()


@needs_linux
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long("a second of computing") if name in LONG else ())
        for name in sorted(WORK_WITHOUT_A_FILTER)
    ],
)
def test_trick_works_where_there_is_no_filter(
    started: Start, trick: Callable[..., Program], name: str
) -> None:
    child = started(Level.NONE, trick(name))
    child.wait(PATIENCE_S)
    assert child.was_killed(), child.status()


@pytest.mark.parametrize("level", [Level.SANDBOX], indirect=True)
def test_bot_that_its_child_was_to_kill_is_at_fault(
    level: Level, started: Start, trick: Callable[..., Program]
) -> None:
    child = started(level, trick("end_of_child", processes=True))
    child.wait(PATIENCE_S)
    with pytest.raises(Fault) as caught:
        ProcessTransport(child).receive(0)
    assert not isinstance(caught.value, Unsure)

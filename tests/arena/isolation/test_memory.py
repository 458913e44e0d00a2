"""Bots get the memory that they may have; one that takes more is ended."""

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from arena.isolation import Child, Level, Program
from arena.player.player import Fault, Killed
from arena.player.process_transport import ProcessTransport
from arena.records import Termination

PATIENCE_S = 25.0

RESERVES = """
import ctypes, mmap
size = 8 << 30
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
print(libc.mmap(None, size, 0, 0x4022, -1, 0) != 2**64 - 1)
"""
MADE_READ_ONLY = """
import ctypes, mmap, time
held = []
print("begins", flush=True)
for _ in range(16):
    held.append(mmap.mmap(-1, 16 << 20, flags=mmap.MAP_PRIVATE))
    held[-1].write(bytes(16 << 20))
    address = ctypes.addressof(ctypes.c_char.from_buffer(held[-1]))
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(address), ctypes.c_size_t(16 << 20), 1)
time.sleep(30)
"""
NAMED_LIKE_A_LINE = (
    "import ctypes\n"
    "PR_SET_NAME = 15\n"
    "ctypes.CDLL(None).prctl(PR_SET_NAME, b'\\rVmPTE: -999999', 0, 0, 0)\n"
)
TOGETHER = """
import os, time
print("begins", flush=True)
for _ in range(3):
    if os.fork() == 0:
        held = b"x" * (80 << 20)
        time.sleep(30)
time.sleep(30)
"""
SHARED = """
import os, time
held = b"x" * (80 << 20)
for _ in range(3):
    if os.fork() == 0:
        time.sleep(30)
        os._exit(0)
print("begins", flush=True)
time.sleep(30)
"""

Start = Callable[[Level, Program], Child]
Make = Callable[..., Program]

bounded = pytest.mark.parametrize("level", [Level.LIMITS, Level.LITE, Level.SANDBOX], indirect=True)
with_processes = pytest.mark.parametrize("level", [Level.LIMITS, Level.SANDBOX], indirect=True)


@pytest.fixture
def transports() -> Iterator[Callable[[Child], ProcessTransport]]:
    with contextlib.ExitStack() as stack:

        def connect(child: Child) -> ProcessTransport:
            transport = ProcessTransport(child)
            stack.callback(transport.close, grace_s=0)
            return transport

        yield connect


Connect = Callable[[Child], ProcessTransport]


def fault_of(transport: ProcessTransport) -> Fault:
    """Return the fault of a bot that says that it begins, and no more."""
    deadline = time.monotonic() + PATIENCE_S
    assert transport.receive(deadline) == b"begins\n"
    with pytest.raises(Fault) as caught:
        transport.receive(deadline)
    return caught.value


def test_reserving_addresses_takes_no_memory(level: Level, play: Callable[..., Any]) -> None:
    ended = play(level, RESERVES, memory_mb=192)
    assert ended.said == "True\n", ended


@bounded
def test_bot_that_evades_its_limits_is_ended(
    level: Level, started: Start, program: Make, transports: Connect
) -> None:
    fault = fault_of(transports(started(level, program(MADE_READ_ONLY, memory_mb=128))))
    assert fault.termination is Termination.EXITED
    assert not isinstance(fault, Killed)  # which would void the game
    assert "more than 128 MB of memory; ask for more with memory_mb in its TOML" in fault.reason


@bounded
def test_name_of_a_process_that_looks_like_a_line_of_its_status_hides_no_memory(
    level: Level, started: Start, program: Make, transports: Connect
) -> None:
    hiding = program(NAMED_LIKE_A_LINE + MADE_READ_ONLY, memory_mb=128)
    assert "more than 128 MB of memory" in fault_of(transports(started(level, hiding))).reason


@with_processes
def test_memory_is_that_of_all_its_processes_together(
    level: Level, started: Start, program: Make, transports: Connect
) -> None:
    child = started(level, program(TOGETHER, memory_mb=128, processes=True))
    assert "its processes together use more than 128 MB" in fault_of(transports(child)).reason


@with_processes
def test_memory_that_processes_share_counts_once(
    level: Level, started: Start, program: Make, transports: Connect
) -> None:
    child = started(level, program(SHARED, memory_mb=160, processes=True))
    assert transports(child).receive(time.monotonic() + PATIENCE_S) == b"begins\n"
    assert child.exceeded_mb() is None


@pytest.mark.parametrize("level", [Level.NONE], indirect=True)
def test_nothing_bounds_memory_without_isolation(
    level: Level, started: Start, program: Make, transports: Connect
) -> None:
    child = started(level, program(SHARED, memory_mb=64))
    assert transports(child).receive(time.monotonic() + PATIENCE_S) == b"begins\n"
    assert child.exceeded_mb() is None

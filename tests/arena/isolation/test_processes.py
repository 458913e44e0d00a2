"""A bot that may start processes gets from the sandbox what these need, and its bounds hold."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.isolation import Child, Extra, Level, Program, refused
from arena.isolation.memory_use import family
from arena.player import Fault, ProcessTransport, Unsure

PATIENCE_S = 25.0

Play = Callable[..., Any]
Make = Callable[..., Program]
Start = Callable[[Level, Program], Child]

sandbox = pytest.mark.parametrize("level", [Level.SANDBOX], indirect=True)
lite = pytest.mark.parametrize("level", [Level.LITE], indirect=True)

FORKS = """
import multiprocessing
multiprocessing.set_start_method("fork")  # the default of Python 3.14 needs sockets
"""
USES = {
    "pool": f"""{FORKS}
with multiprocessing.Pool(2) as pool:
    print(sum(pool.map(abs, range(-3, 0))))
""",
    "pool by spawn": """
import multiprocessing
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(sum(pool.map(abs, range(-3, 0))))
""",
    "executor": f"""{FORKS}
from concurrent.futures import ProcessPoolExecutor
with ProcessPoolExecutor(2) as executor:
    print(sum(executor.map(abs, range(-3, 0))))
""",
    "shared memory": f"""{FORKS}
from multiprocessing import Process, shared_memory
def write(name):
    memory = shared_memory.SharedMemory(name)
    memory.buf[0] = 6
    memory.close()
memory = shared_memory.SharedMemory(create=True, size=4096)
writer = Process(target=write, args=(memory.name,))
writer.start()
writer.join()
print(memory.buf[0])
memory.close()
memory.unlink()
""",
    "shared value": f"""{FORKS}
from multiprocessing import Process, Value
def add(value):
    with value.get_lock():
        value.value += 3
value = Value("i")
adders = [Process(target=add, args=(value,)) for _ in range(2)]
for adder in adders:
    adder.start()
for adder in adders:
    adder.join()
print(value.value)
""",
    "queue": f"""{FORKS}
from multiprocessing import Process, Queue
queue = Queue()
Process(target=queue.put, args=(6,)).start()
print(queue.get())
""",
    "timeout": """
import subprocess
try:
    subprocess.run(["sleep", "60"], timeout=0.1)
except subprocess.TimeoutExpired:
    print(6)
""",
    "terminate": f"""{FORKS}
import time
from multiprocessing import Process
child = Process(target=time.sleep, args=(60,))
child.start()
child.terminate()
child.join()
print(6 if child.exitcode == -15 else child.exitcode)
""",
    "kill": f"""{FORKS}
import time
from multiprocessing import Process
child = Process(target=time.sleep, args=(60,))
child.start()
child.kill()
child.join()
print(6 if child.exitcode == -9 else child.exitcode)
""",
    "kill by a shell": """
import subprocess
print(6 if subprocess.run(["sh", "-c", "kill -9 $$"]).returncode == -9 else "lives")
""",
    "exit as if killed": """
import subprocess
print(6 if subprocess.run(["sh", "-c", "exit 137"]).returncode == 137 else "other code")
""",
    "signal to its group": """
import os, signal, time
child = os.fork()
if not child:
    time.sleep(60)
    os._exit(0)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.kill(0, signal.SIGTERM)
print(6 if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -15 else "other code")
""",
}
"""Programs that start processes; each prints 6."""

USES_OUTSIDE_A_BOX = ("pool", "terminate", "signal to its group")

SECOND_FILE_OF_128 = """
import os, time
print("begins", flush=True)
for name in "ab":
    descriptor = os.open(f"/dev/shm/{name}", os.O_CREAT | os.O_RDWR)
    os.posix_fallocate(descriptor, 0, 63 << 20)
held = b"x" * (80 << 20)
time.sleep(60)
"""

BUSY = """
import os, time
for _ in range(2):
    if os.fork() == 0:
        while True:
            pass
print("ready", flush=True)
time.sleep(60)
"""


def require(extra: Extra) -> None:
    why = refused(extra)
    if why is not None:
        pytest.skip(f"this machine gives boxes none: {why}")


def states(pids: list[int]) -> set[str]:
    """Return the states of processes, each a letter as /proc has it."""
    found = set()
    for pid in pids:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
        found.add(stat.rpartition(")")[2].split()[0])
    return found


def wait_until(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("level", "use"),
    [
        *((Level.SANDBOX, use) for use in USES),
        *((level, use) for level in (Level.NONE, Level.LIMITS) for use in USES_OUTSIDE_A_BOX),
    ],
    indirect=["level"],
)
def test_bot_uses_processes_of_its_own(level: Level, play: Play, use: str) -> None:
    if level is Level.SANDBOX:
        require(Extra.SHARED)
    ended = play(level, USES[use], processes=True)
    assert (ended.said, ended.status) == ("6\n", "exited with code 0"), ended


@lite
@pytest.mark.parametrize("use", ["pool", "executor", "timeout"])
def test_no_bot_starts_processes_at_lite(level: Level, play: Play, use: str) -> None:
    ended = play(level, USES[use], processes=True)
    assert "PermissionError" in ended.complained, ended


@sandbox
def test_box_of_a_bot_that_may_start_no_processes_has_nothing_to_share(
    level: Level, play: Play
) -> None:
    assert play(level, "import os; print(os.listdir('/dev'))").said.count("shm") == 0


@sandbox
def test_what_a_box_shares_is_not_seen_outside_and_gone_with_it(
    level: Level, started: Start, program: Make, play: Play
) -> None:
    require(Extra.SHARED)
    writes = """
from multiprocessing import shared_memory
memory = shared_memory.SharedMemory("salvo-left", create=True, size=4096)
print("ready", flush=True)
input()
"""
    looks = "import os; print(os.listdir('/dev/shm'))"
    outside = Path("/dev/shm/salvo-left")  # noqa: S108 - it must not be there
    first = started(level, program(writes, processes=True))
    assert ProcessTransport(first).receive(time.monotonic() + PATIENCE_S) == b"ready\n"
    assert play(level, looks, processes=True).said == "[]\n"
    assert not outside.exists()
    first.kill()
    assert play(level, looks, processes=True).said == "[]\n"
    assert not outside.exists()


@sandbox
def test_what_processes_share_is_bounded_in_bytes_and_in_files(level: Level, play: Play) -> None:
    require(Extra.SHARED)
    code = """
import os
size = os.statvfs("/dev/shm")
print(size.f_blocks * size.f_frsize >> 20, size.f_files)
"""
    assert play(level, code, memory_mb=100, processes=True).said == "100 4096\n"


@sandbox
def test_files_that_processes_share_count_as_memory_unmapped_too(
    level: Level, started: Start, program: Make
) -> None:
    require(Extra.SHARED)
    transport = ProcessTransport(
        started(level, program(SECOND_FILE_OF_128, memory_mb=128, processes=True))
    )
    try:
        deadline = time.monotonic() + PATIENCE_S
        assert transport.receive(deadline) == b"begins\n"
        with pytest.raises(Fault) as caught:
            transport.receive(deadline)
    finally:
        transport.close(grace_s=0)
    assert "its processes together use more than 128 MB" in caught.value.reason


@sandbox
def test_what_several_processes_map_counts_once(
    level: Level, started: Start, program: Make
) -> None:
    require(Extra.SHARED)
    code = f"""{FORKS}
import time
from multiprocessing import Process, shared_memory
memory = shared_memory.SharedMemory(create=True, size=80 << 20)
def read():
    for place in range(0, memory.size, 4096):
        memory.buf[place] = 1
    print("read", flush=True)
    time.sleep(60)
for _ in range(3):
    Process(target=read).start()
time.sleep(60)
"""
    child = started(level, program(code, memory_mb=128, processes=True))
    transport = ProcessTransport(child)
    for _ in range(3):
        assert transport.receive(time.monotonic() + PATIENCE_S) == b"read\n"
    assert child.exceeded_mb() is None


@sandbox
def test_pause_stops_all_its_processes(level: Level, started: Start, program: Make) -> None:
    child = started(level, program(BUSY, processes=True))
    assert ProcessTransport(child).receive(time.monotonic() + PATIENCE_S) == b"ready\n"
    assert child.bot_pid is not None
    processes = family(child.bot_pid)
    assert len(processes) == 3
    child.pause()
    wait_until(lambda: states(processes) == {"T"})
    child.resume()
    wait_until(lambda: "T" not in states(processes))


@sandbox
@pytest.mark.parametrize(
    "code",
    ["os.kill(os.getpid(), 9)", "os.kill(0, 9)", "os._exit(137)", "killed_by_its_child()"],
)
def test_bot_whose_processes_may_kill_it_is_at_fault(
    level: Level, started: Start, program: Make, code: str
) -> None:
    defined = """
import os
def killed_by_its_child():
    bot = os.getpid()
    if not os.fork():
        os.kill(bot, 9)
    os.wait()
"""
    child = started(level, program(f"{defined}\n{code}", processes=True))
    child.wait(PATIENCE_S)
    assert child.status() == "was killed by SIGKILL"
    with pytest.raises(Fault) as caught:
        ProcessTransport(child).receive(0)
    assert not isinstance(caught.value, Unsure)  # which would void the game


@sandbox
def test_thread_of_a_bot_that_is_killed_by_its_id_is_the_bots_own_doing(
    level: Level, started: Start, program: Make
) -> None:
    code = """
import os, threading, time
thread = threading.Thread(target=time.sleep, args=(60,))
thread.start()
if not os.fork():
    os.kill(thread.native_id, 9)
time.sleep(60)
"""
    child = started(level, program(code, processes=True))
    child.wait(PATIENCE_S)
    assert child.status() == "was killed by SIGKILL"
    assert not child.was_killed()


@sandbox
def test_box_that_is_killed_from_outside_is_recognized_with_processes_too(
    level: Level, started: Start, program: Make
) -> None:
    child = started(level, program(BUSY, processes=True))
    assert ProcessTransport(child).receive(time.monotonic() + PATIENCE_S) == b"ready\n"
    os.kill(child.pid, signal.SIGKILL)
    child.wait(PATIENCE_S)
    assert child.was_killed()


@sandbox
def test_children_that_outlive_a_bot_and_hold_its_output_end_with_it(
    level: Level, started: Start, program: Make
) -> None:
    code = """
import os, time
print("begins", flush=True)
input()
for _ in range(3):
    if not os.fork():
        time.sleep(600)
"""
    child = started(level, program(code, processes=True))
    transport = ProcessTransport(child)
    deadline = time.monotonic() + PATIENCE_S
    assert transport.receive(deadline) == b"begins\n"
    assert child.bot_pid is not None
    transport.send(b"go on\n", deadline)
    with pytest.raises(Fault, match="exited with code 0"):
        transport.receive(deadline)
    transport.close(grace_s=0)
    assert time.monotonic() < deadline


@sandbox
@pytest.mark.parametrize("ends", ["os._exit(0)", "time.sleep(600)"])
def test_processes_without_end_are_bounded_whether_they_end_or_stay(
    level: Level, started: Start, program: Make, ends: str
) -> None:
    code = f"""
import os, time
count = 0
try:
    while True:
        if not os.fork():
            {ends}
        count += 1
except OSError as error:
    print(count < 32, error.strerror, flush=True)
time.sleep(600)
"""
    child = started(level, program(code, processes=True))
    said = ProcessTransport(child).receive(time.monotonic() + PATIENCE_S)
    assert said == b"True Resource temporarily unavailable\n"

"""Tries what a level of isolation promises to prevent.

It is started as a bot is and imports only the standard library. Its one argument is a JSON object:
the promises to try, and where the canaries are (see ``arena.isolation.proof``). It prints a JSON
object: for each promise null if it holds, else what the probe was able to do.
"""

import contextlib
import errno
import json
import os
import platform
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def _open_descriptors() -> list[int]:
    found = []
    for descriptor in range(3, 256):
        with contextlib.suppress(OSError):
            os.fstat(descriptor)
            found.append(descriptor)
    return found


_INHERITED = _open_descriptors()

import ctypes  # noqa: E402 - libffi, which it loads, may hold a file of its own open

Canaries = dict[str, Any]

_MEGABYTE = 1024 * 1024
_CAPABILITIES_VERSION = 0x20080522
_READ_ANY = 1 << 2
_SIGKILL = 9
_GET_PDEATHSIG, _GET_NO_NEW_PRIVS = 2, 39
_SEIZE = 0x4206
_NEW_USER = 0x10000000
_KEY = 0x5A170
_CLOSED = {errno.EPERM, errno.EACCES, errno.ENOSYS}
_KERNEL_CALLS = {
    # name: number on x86-64, on aarch64, arguments with which the call leaves nothing behind
    "io_uring_setup": (425, 425),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282, -1),
    "memfd_create": (319, 279),
    "shmget": (29, 194, _KEY),
    "msgget": (68, 186, _KEY),
    "semget": (64, 190, _KEY),
    "mq_open": (240, 180),
    "pidfd_open": (434, 434),
    "personality": (135, 92),
    "mount": (165, 40),
    "unshare": (272, 97, _NEW_USER),
    # Memory that no limit counts, shared without a file or growing like a stack.
    "shared anonymous mmap": (9, 222, 0, 4096, 3, 0x21),
    "mmap of a stack": (9, 222, 0, 4096, 3, 0x0122),
}


_COUNTERS = (
    *("stat", "loadavg", "uptime", "vmstat", "schedstat", "locks", "interrupts", "softirqs"),
    *("diskstats", "slabinfo", "zoneinfo", "buddyinfo", "pressure/cpu", "pressure/memory"),
    *("sys/fs/file-nr", "sys/kernel/random/entropy_avail", "sysvipc/shm"),
)


def _call(intel: int, arm: int, *arguments: int) -> int:
    # As longs, since ctypes leaves the upper half of the register undefined for an int, and all
    # six, since the kernel reads what else is in theirs.
    given = [ctypes.c_long(a) for a in (*arguments, *[0] * 6)][:6]
    number = arm if platform.machine() == "aarch64" else intel
    result: int = ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *given)
    return result


def _can(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, MemoryError, RuntimeError, OverflowError):
        return False
    return True


def environment(canaries: Canaries) -> Iterator[str]:
    """Try to see the arena's environment variables."""
    if canaries["variable"] in os.environ:
        yield f"the arena's variable {canaries['variable']} is visible"


def descriptors(_canaries: Canaries) -> Iterator[str]:
    """Try to use a descriptor of the arena's."""
    yield from (f"descriptor {descriptor} is open" for descriptor in _INHERITED)


def memory(canaries: Canaries) -> Iterator[str]:
    """Try to hold more memory than is allowed."""
    size = (canaries["memory_mb"] + 16) * _MEGABYTE
    if _can(lambda: bytearray(size)):
        yield f"{size // _MEGABYTE} MB could be allocated"
    if hasattr(os, "memfd_create"):
        with contextlib.suppress(OSError):
            os.ftruncate(os.memfd_create("salvo"), size)
            yield f"a file of {size // _MEGABYTE} MB in memory could be created"


def tasks(canaries: Canaries) -> Iterator[str]:
    """Try to start a thread beyond a limit on threads and processes."""
    import _thread  # noqa: PLC0415 - each promise imports what only it needs
    import resource  # noqa: PLC0415

    _, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    if hard == resource.RLIM_INFINITY or hard > canaries["most_tasks"]:
        yield "there is no limit that one bot could reach"
        return
    resource.setrlimit(resource.RLIMIT_NPROC, (1, hard))
    if _can(lambda: _thread.start_new_thread(int, ())):
        yield "the limit is not enforced for this user"
    resource.setrlimit(resource.RLIMIT_NPROC, (hard, hard))


def privileges(canaries: Canaries) -> Iterator[str]:
    """Look for remaining privileges, and ways to gain some."""
    libc = ctypes.CDLL(None)
    if os.geteuid() == 0 or os.getuid() == 0:
        yield "it runs as root"
    if libc.prctl(_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1:
        yield "it may gain privileges"
    data = (ctypes.c_uint32 * 6)()
    libc.capget((ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0), data)
    allowed = _READ_ANY if canaries["root"] else 0
    if (data[0] | data[1]) & ~allowed or data[3] or data[4]:
        yield f"it has capabilities: {data[0]:x}"


def death(canaries: Canaries) -> Iterator[str]:
    """Check whether it would outlive the arena."""
    if canaries["boxed"]:
        if os.getppid() != 1:
            yield "it has no process namespace of its own to end with"
        return
    wanted = ctypes.c_int()
    ctypes.CDLL(None).prctl(_GET_PDEATHSIG, ctypes.byref(wanted), 0, 0, 0)
    if wanted.value != _SIGKILL:
        yield "it does not die with the arena"


def files(canaries: Canaries) -> Iterator[str]:
    """Try to read files that are not the bot's."""
    if _can(lambda: Path(canaries["file"]).read_bytes()):
        yield "a file of the arena could be read"
    if _can(lambda: os.listdir(canaries["folder"])):  # noqa: PTH208 - it imports little
        yield "a folder of the arena could be listed"


def writing(canaries: Canaries) -> Iterator[str]:
    """Try to write to a disk."""
    own = str(Path(__file__).parent)
    for folder in (canaries["folder"], own, os.environ["HOME"], "/tmp", "/var/tmp", "/dev/shm"):  # noqa: S108
        place = f"{folder}/salvo-probe-{os.getpid()}"
        if _can(lambda path=place: Path(path).mkdir()):  # type: ignore[misc]
            Path(place).rmdir()
            yield f"a folder could be made in {folder}"
        if _can(lambda path=place: Path(path).touch()):  # type: ignore[misc]
            Path(place).unlink()
            yield f"a file could be made in {folder}"
    target = canaries["writable"]
    for name, attempt in {
        "appended to": lambda: os.open(target, os.O_WRONLY | os.O_APPEND),
        "truncated": lambda: os.truncate(target, 0),
        "truncated on opening": lambda: os.open(target, os.O_RDONLY | os.O_TRUNC),
        "given other permissions": lambda: os.chmod(target, 0o666),  # noqa: PTH101, S103
        "given other times": lambda: os.utime(target, (0, 0)),
        "given an attribute": lambda: os.setxattr(target, "user.salvo", b"x"),
    }.items():
        if _can(attempt):
            yield f"a file of the arena could be {name}"


def locks(_canaries: Canaries) -> Iterator[str]:
    """Try to lock a file that another bot can see too, which would pass it a message."""
    import fcntl  # noqa: PLC0415

    with Path(__file__).open("rb") as file:
        if _can(lambda: fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)):
            yield "flock works"
        if _can(lambda: fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)):
            yield "locks of parts of files work"


def processes(canaries: Canaries) -> Iterator[str]:
    """Try to reach the arena and another process."""
    attempts = {
        "signalled": lambda pid: os.kill(pid, 0),
        "given another priority": lambda pid: os.setpriority(os.PRIO_PROCESS, pid, 10),
        "moved to other processors": lambda pid: os.sched_setaffinity(pid, {0}),
        "inspected": lambda pid: Path(f"/proc/{pid}/environ").read_bytes(),
    }
    for who in ("arena", "other"):
        pid = canaries[who]
        for name, attempt in attempts.items():
            if _can(lambda act=attempt, pid=pid: act(pid)):  # type: ignore[misc]
                yield f"the {who} process could be {name}"
        if _call(101, 117, _SEIZE, pid) == 0:
            yield f"the {who} process could be traced"


def forks(_canaries: Canaries) -> Iterator[str]:
    """Try to start a process."""
    with contextlib.suppress(OSError):
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)
        yield "a process could be started"


def network(canaries: Canaries) -> Iterator[str]:
    """Try to reach the arena over the network and over local sockets."""
    for name, family, address in (
        ("TCP", socket.AF_INET, ("127.0.0.1", canaries["port"])),
        ("an abstract socket", socket.AF_UNIX, "\0" + canaries["abstract"]),
        ("a socket file", socket.AF_UNIX, canaries["socket"]),
    ):
        with contextlib.suppress(OSError), socket.socket(family) as talker:
            talker.settimeout(0.5)
            talker.connect(address)
            yield f"the arena was reached by {name}"
    for kind, number, type_ in (
        ("UDP", 2, socket.SOCK_DGRAM),
        ("local", 1, socket.SOCK_DGRAM),
        ("netlink", 16, socket.SOCK_RAW),
        ("vsock", 40, socket.SOCK_STREAM),
    ):
        if _can(lambda pair=(number, type_): socket.socket(*pair).close()):  # type: ignore[misc]
            yield f"a {kind} socket could be made"
    if _can(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)):
        yield "a pair of datagram sockets could be made, which can send to other sockets by name"


def kernel(_canaries: Canaries) -> Iterator[str]:
    """Try system calls that no bot needs."""
    for name, call in _KERNEL_CALLS.items():
        result = _call(*call)
        if result >= 0 or ctypes.get_errno() not in _CLOSED:
            yield f"{name} works"


def counters(_canaries: Canaries) -> Iterator[str]:
    """Look for what counts for the whole machine, and for its own place when memory runs out."""
    for name in _COUNTERS:
        with contextlib.suppress(OSError):
            if Path("/proc", name).read_bytes():
                yield f"/proc/{name} can be read"
    if _can(lambda: os.close(os.open("/proc/self/oom_score_adj", os.O_WRONLY))):
        yield "/proc/self/oom_score_adj could be changed"
    with contextlib.suppress(OSError, ValueError):
        free = _free_kb()
        held = b"x" * (4 * _MEGABYTE)
        if _free_kb() != free and held:
            yield "/proc/meminfo shows what memory is in use"


def _free_kb() -> int:
    return int(Path("/proc/meminfo").read_text(encoding="ascii").split()[4])


def _listed(folder: str) -> list[str]:
    with contextlib.suppress(OSError):
        return os.listdir(folder)  # noqa: PTH208 - it imports little
    return []


def host(canaries: Canaries) -> Iterator[str]:
    """Look for traces of the host."""
    if Path(canaries["file"]).exists():
        yield "a file of the arena is visible"
    others = {name for name in _listed("/proc") if name.isdigit()} - {"1", str(os.getpid())}
    if others:
        yield f"process {min(others)} is visible in /proc"
    if _can(lambda: os.getpgid(canaries["other"])):
        yield "another process is visible"
    if socket.gethostname() == canaries["host"]:
        yield "the host's name is visible"


def main() -> None:
    """Try the requested promises, and print which are broken and how."""
    canaries = json.loads(sys.argv[1])
    outcome = {}
    for name in canaries["promises"]:
        broken = "; ".join(globals()[name](canaries))
        outcome[name] = broken or None
    sys.stdout.write(json.dumps(outcome))


if __name__ == "__main__":
    main()

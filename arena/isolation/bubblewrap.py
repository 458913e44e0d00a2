"""Builds the command of the sandbox: bubblewrap's namespaces and mounts, filter and limits.

The bot's root is a read-only file system that contains only what the bot may read, a /proc of its
own processes, and a temporary folder if it asks for one. The process, network, IPC and host name
namespaces are its own. An ordinary user also needs a user namespace; root does without and drops to
the bot's uid inside the box.

Runtimes find themselves by /proc: mono and the JVM look for their own libraries, most for the
bounds of their stack. It is mounted for the box's own process namespace; what counts for the whole
machine cannot be opened, since a bot could read there what its opponent does. The two files about
the machine that programs ask for are texts: ``meminfo`` gives the bot's own memory for the
machine's, ``cpuinfo`` leaves out the clock rates. It is mounted read-only, so that
``oom_score_adj`` stays.
What can be opened of the bot's own entry is for rules to say (``arena.isolation.proc_rules``): it
cannot be masked before the bot is there.
"""

import functools
import os
import resource
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from arena.isolation.confinement import MAX_OPEN_FILES, MAX_TASKS, memory_limits
from arena.isolation.landlock import OF_ITSELF, abi
from arena.isolation.program import Program, command, granted, listed
from arena.isolation.slots import Slot, needs_root
from arena.isolation.temporary import InMemory

DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")
"""Not /dev/zero: mapped as shared, it is memory that no limit counts. What processes share lies in
/dev/shm, whose size is bounded."""

MAX_PROCESSES = 32
"""Limit on threads and processes of a bot that is allowed to start processes."""

_READ_AND_WRITE, _REFER, _REFER_ABI = 0b110, 1 << 13, 2
"""Rights of Landlock. Under any rule no file is moved to another folder without the last one."""

_OWN = frozenset({"self", "thread-self", "mounts", "net"})
"""Links to what is the reader's own."""
_CHANGES = ("cpu MHz", "clock")
"""First words of the lines of cpuinfo that change with the load, on x86-64 and elsewhere."""

_SYSTEM_PATH = "/usr/bin:/bin:/usr/sbin:/sbin"
_TO_DROP = ("SETUID", "SETGID", "SETPCAP")


def proc_texts(memory_mb: int) -> dict[str, bytes]:
    """Return the texts that take the place of files about the machine, by path."""
    rows = {
        **dict.fromkeys(("MemTotal", "MemFree", "MemAvailable"), memory_mb * 1024),
        **dict.fromkeys(("Buffers", "Cached", "SwapCached", "SwapTotal", "SwapFree"), 0),
    }
    meminfo = "".join(f"{f'{name}:':15} {kb:8} kB\n" for name, kb in rows.items())
    return {"/proc/meminfo": meminfo.encode(), "/proc/cpuinfo": _cpuinfo()}


def wrap(  # noqa: PLR0913 - one parameter for each way in which boxes differ
    program: Program,
    slot: Slot | None,
    filter_descriptor: int,
    *,
    proc: dict[str, int],
    rules: bool,
    in_memory: Sequence[InMemory],
    outlet: tuple[int, ...],
) -> list[str]:
    """Return the command that starts a program in the sandbox.

    ``proc`` has the descriptors of the texts of a /proc, by path; a box without has none. Under
    ``rules``, only what a bot needs can be opened there. ``in_memory`` are folders that are mounted
    already, each over its place. By the descriptors in ``outlet``, if there are any, the box says
    which process it is, and is told to begin.

    Raises:
        FileNotFoundError: If the program, a file of it, bubblewrap or prlimit is missing.
        PermissionError: If the program may not be executed.
    """
    paths = granted(program)
    if slot is not None:
        slot.reads_any = needs_root(paths, folders_too=False)
    return [
        _tool("bwrap", None),
        *("--unshare-ipc", "--unshare-pid", "--unshare-net"),
        *(("--info-fd", str(outlet[0]), "--block-fd", str(outlet[1])) if outlet else ()),
        *("--unshare-uts", "--hostname", "box", "--unshare-cgroup-try"),
        *("--die-with-parent", "--cap-drop", "ALL"),
        # A signal that it sends to its own group reaches no process outside.
        *(("--new-session",) if program.processes else ()),
        *(_capabilities(slot) if slot is not None else ("--unshare-user",)),
        *_folders_in_memory(in_memory),
        *_mounts(paths, (program.folder, *listed(program))),
        *(_proc_mounts(proc, rules=rules) if proc else ()),
        *("--chdir", program.folder, "--remount-ro", "/"),
        *("--seccomp", str(filter_descriptor), "--"),
        *(_drop(slot) if slot is not None else ()),
        *_limits(program),
        *(_proc_rules(proc) if rules else ()),
        *command(program),
    ]


def _tool(name: str, path: str | None = _SYSTEM_PATH) -> str:
    found = shutil.which(name, path=path)
    if found is None:
        raise FileNotFoundError(f"{name} is not installed")
    return found


@functools.lru_cache(maxsize=256)
def _mounts(paths: tuple[str, ...], folders: tuple[str, ...]) -> list[str]:
    mounts: list[str] = []
    # Parent folders that bubblewrap creates itself are readable by their owner only, which is not
    # the bot if root started it; so create them explicitly.
    made = {str(parent) for path in (*paths, *DEVICES) for parent in Path(path).parents}
    for folder in folders:
        made |= {folder, *map(str, Path(folder).parents)}
    for path in sorted(made - {"/"} - set(paths)):
        if not any(path.startswith(f"{outer}/") for outer in paths):
            mounts += ("--dir", path)
    for path in paths:
        if Path(path).is_symlink() and Path(path).parent == Path("/"):
            mounts += ("--symlink", str(Path(path).readlink()), path)
        else:
            mounts += ("--ro-bind", path, path)
    for device in DEVICES:
        mounts += ("--dev-bind", device, device)
    return mounts


def _folders_in_memory(folders: Iterable[InMemory]) -> Iterator[str]:
    for folder in folders:
        for parent in reversed(Path(folder.path).parents[:-1]):
            yield from ("--dir", str(parent))
        yield from ("--bind", folder.place, folder.path)


def _capabilities(slot: Slot) -> Iterator[str]:
    for name in (*_TO_DROP, *(("DAC_READ_SEARCH",) if slot.reads_any else ())):
        yield from ("--cap-add", f"CAP_{name}")


def _drop(slot: Slot) -> Iterator[str]:
    yield from (_tool("setpriv"), f"--reuid={slot.uid}", f"--regid={slot.uid}", "--clear-groups")
    if slot.reads_any:
        only = "-all,+dac_read_search"
        yield from (f"--bounding-set={only}", f"--inh-caps={only}", f"--ambient-caps={only}")
    else:
        yield from ("--bounding-set=-all", "--inh-caps=-all")


def _limits(program: Program) -> Iterator[str]:
    # Set inside the box, where processes outside it with the same uid are not counted.
    tasks = MAX_PROCESSES if program.processes else MAX_TASKS
    largest_mb = max(program.temporary_mb, program.memory_mb if program.processes else 0)
    largest = largest_mb * 1024 * 1024
    yield from (_tool("prlimit"), "--core=0", f"--fsize={largest}", f"--nofile={MAX_OPEN_FILES}")
    for name, (soft, hard) in memory_limits(program.memory_mb).items():
        yield f"--{name}={_limit(soft)}:{_limit(hard)}"
    yield from (f"--nproc={tasks}", "--")


def _proc_rules(texts: Iterable[str]) -> Iterator[str]:
    rights = _READ_AND_WRITE if abi() < _REFER_ABI else _READ_AND_WRITE | _REFER
    yield from (sys.executable, "-I", "-S", str(Path(__file__).with_name("proc_rules.py")))
    yield from (str(rights), *texts, *(f"/proc/self/{name}" for name in OF_ITSELF), "--")


def _limit(value: int) -> str:
    return "unlimited" if value == resource.RLIM_INFINITY else str(value)


def _proc_mounts(texts: dict[str, int], *, rules: bool) -> Iterator[str]:
    """Yield bubblewrap's arguments for a /proc, given by path where it reads those texts.

    Files about the machine, which cannot be opened under ``rules``, are masked without: the mounts
    of all of them take a tenth of the processor time of a start.
    """
    yield from ("--proc", "/proc")
    files, folders = _of_the_machine()
    for path in files if not rules else ():
        if path not in texts:
            # Mounted without devices, the file cannot even be opened.
            yield from ("--ro-bind", "/dev/null", path)
    # The box's first process has its command line, which names paths of the host.
    for path in (*folders, "/proc/1"):
        yield from ("--tmpfs", path, "--remount-ro", path)
    for path, descriptor in texts.items():
        yield from ("--perms", "0444", "--ro-bind-data", str(descriptor), path)
    yield from ("--remount-ro", "/proc")


@functools.cache
def _of_the_machine() -> tuple[list[str], list[str]]:
    files: list[str] = []
    folders: list[str] = []
    with os.scandir("/proc") as entries:
        for entry in entries:
            if not entry.name.isdigit() and entry.name not in _OWN:
                (folders if entry.is_dir() else files).append(entry.path)
    return sorted(files), sorted(folders)


@functools.cache
def _cpuinfo() -> bytes:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return b""
    return "\n".join(line for line in lines if not line.startswith(_CHANGES)).encode()

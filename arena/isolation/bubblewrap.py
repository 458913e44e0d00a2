"""Builds the command of the sandbox: bubblewrap's namespaces and mounts, filter and limits.

The bot's root is a read-only file system that contains only what the bot may read, a /proc of its
own processes, and a temporary folder if it asks for one. The process, network, IPC and host name
namespaces are its own. An ordinary user also needs a user namespace; root does without and drops to
the bot's uid inside the box.
"""

import functools
import resource
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from arena.isolation.confinement import MAX_OPEN_FILES, MAX_TASKS, memory_limits
from arena.isolation.landlock import OF_ITSELF, abi
from arena.isolation.proc import proc_mounts
from arena.isolation.program import Program, command, granted, listed
from arena.isolation.slots import Slot, needs_root
from arena.isolation.temporary import FOLDER

DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")
"""Not /dev/zero: mapped as shared, it is memory that no limit counts."""

MAX_PROCESSES = 32
"""Limit on threads and processes of a bot that is allowed to start processes."""

_READ_AND_WRITE, _REFER, _REFER_ABI = 0b110, 1 << 13, 2
"""Rights of Landlock. Under any rule no file is moved to another folder without the last one."""

_SYSTEM_PATH = "/usr/bin:/bin:/usr/sbin:/sbin"
_TO_DROP = ("SETUID", "SETGID", "SETPCAP")


def wrap(  # noqa: PLR0913 - one parameter for each way in which boxes differ
    program: Program,
    slot: Slot | None,
    filter_descriptor: int,
    *,
    proc: dict[str, int],
    rules: bool,
    temporary: str | None,
) -> list[str]:
    """Return the command that starts a program in the sandbox.

    Args:
        program: What to start.
        slot: The uid it runs as, if root starts it.
        filter_descriptor: Where bubblewrap reads the seccomp filter from.
        proc: Where it reads the texts of a /proc from, by path; none for a box without.
        rules: Whether of that /proc only what a bot needs can be opened.
        temporary: The folder that becomes the temporary one, if there is to be one.

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
        *("--unshare-uts", "--hostname", "box", "--unshare-cgroup-try"),
        *("--die-with-parent", "--cap-drop", "ALL"),
        *(_capabilities(slot) if slot is not None else ("--unshare-user",)),
        *(("--bind", temporary, FOLDER) if temporary is not None else ()),
        *_mounts(paths, (program.folder, *listed(program))),
        *(proc_mounts(proc) if proc else ()),
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
def _mounts(paths: tuple[str, ...], folders: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_mount(paths, folders))


def _mount(paths: tuple[str, ...], folders: tuple[str, ...]) -> Iterator[str]:
    # Parent folders that bubblewrap creates itself are readable by their owner only, which is not
    # the bot if root started it; so create them explicitly.
    made = {str(parent) for path in (*paths, *DEVICES) for parent in Path(path).parents}
    for folder in folders:
        made |= {folder, *map(str, Path(folder).parents)}
    for path in sorted(made - {"/"} - set(paths)):
        if not any(path.startswith(f"{outer}/") for outer in paths):
            yield from ("--dir", path)
    for path in paths:
        if Path(path).is_symlink() and Path(path).parent == Path("/"):
            yield from ("--symlink", str(Path(path).readlink()), path)
        else:
            yield from ("--ro-bind", path, path)
    for device in DEVICES:
        yield from ("--dev-bind", device, device)


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
    largest = program.temporary_mb * 1024 * 1024
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

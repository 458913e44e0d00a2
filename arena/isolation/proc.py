"""Makes the /proc of a sandbox: the bot's own processes, of the machine what never changes.

Runtimes find themselves by it: mono and the JVM look for their own libraries, most for the bounds
of their stack. bubblewrap mounts it for the box's own process namespace; what counts for the whole
machine is masked, since a bot could read there what its opponent does. The two files about the
machine that programs ask for are texts: ``meminfo`` gives the bot's own memory for the machine's,
``cpuinfo`` leaves out the clock rates. It is mounted read-only, so that ``oom_score_adj`` stays.
What can be opened of the bot's own entry is for rules to say (``arena.isolation.proc_rules``): it
cannot be masked before the bot is there.
"""

import functools
import os
from collections.abc import Iterator
from pathlib import Path

_OWN = frozenset({"self", "thread-self", "mounts", "net"})
"""Links to what is the reader's own."""
_CHANGES = ("cpu MHz", "clock")
"""What lines of cpuinfo begin with that change with the load, on x86-64 and on other machines."""


def proc_texts(memory_mb: int) -> dict[str, bytes]:
    """Return the texts that take the place of files about the machine, by path."""
    rows = {
        **dict.fromkeys(("MemTotal", "MemFree", "MemAvailable"), memory_mb * 1024),
        **dict.fromkeys(("Buffers", "Cached", "SwapCached", "SwapTotal", "SwapFree"), 0),
    }
    meminfo = "".join(f"{f'{name}:':15} {kb:8} kB\n" for name, kb in rows.items())
    return {"/proc/meminfo": meminfo.encode(), "/proc/cpuinfo": _cpuinfo()}


def proc_mounts(texts: dict[str, int]) -> Iterator[str]:
    """Yield bubblewrap's arguments for a /proc, given by path where it reads those texts."""
    yield from ("--proc", "/proc")
    files, folders = _of_the_machine()
    for path in files:
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
    """Return the files and the folders of /proc that belong to no process."""
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

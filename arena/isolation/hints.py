"""Guesses from its stderr what of its isolation made a bot fail, and how to fix it.

The kernel answers a bot that breaks a promise with an error that looks like any other; here it gets
the promise's name, and the field or the folder by which the bot can have what it lacks.
"""

import contextlib
import os
import re
from pathlib import Path

from msgspec import Struct

from arena.isolation.bubblewrap import MAX_PROCESSES
from arena.isolation.levels import Level
from arena.isolation.program import Program, granted

_READ_LINES = 30
"""How many of the last lines count: an earlier failure was hardly the last one's cause."""

_READ_CHARACTERS = 500
"""How much of a line counts: the time of a search grows faster than the line."""

_MEMORY = re.compile(
    r"MemoryError|[Cc]annot allocate memory|[Oo]ut of memory|OutOfMemory|bad_alloc|ENOMEM"
    r"|memory allocation of \d+ bytes failed|Unable to allocate|Could not reserve enough space"
    r"|cannot reserve arena virtual address space|failed to map segment from shared object"
)
_FORKING = re.compile(
    r"\bv?fork\b|_fork_exec|posix_spawn|spawn\w* \S*\s?E(PERM|AGAIN)|multiprocessing"
)
_SHARING = re.compile(r"SemLock|shm_open|/dev/shm")
_NETWORK = re.compile(
    r"\bsocket\b|getaddrinfo|name resolution|[Nn]etwork is unreachable|connect E(PERM|ACCES)"
)
_BY_SOCKETS = re.compile(r"multiprocessing.(forkserver|managers)")
_REFUSED = re.compile(
    r"Operation not permitted|Permission denied|Resource temporarily unavailable"
    r"|name resolution|[Nn]etwork is unreachable|\bE(PERM|ACCES|AGAIN)\b"
)
_TOO_MANY = re.compile(r"Resource temporarily unavailable|EAGAIN")
_NOT_THERE = "No such file or directory"
_READ_ONLY = re.compile(
    r"Read-only file system|EROFS|No usable temporary (?:directory|file name) found"
)
_LACKS_FILE = re.compile(
    r"(?:[Nn]o such file or directory|Permission denied)(?:: |, \w+ )['\"](?P<python>[^'\"]+)"
    r"|: (?P<shell>[^:'\"]+): (?:No such file or directory|Permission denied)$",
    re.MULTILINE,
)
_OPENS_TO_WRITE = re.compile(r"open\(.*['\"][rbt]*[wax+]")
SALVOS_PYTHON = 'begin the command with the file, as in "bot.py 300", for the Python of Salvo'
"""How to fix a command that begins with another Python, or one that is not there."""
_PYTHON = re.compile(r"python[\d.]*")
_NO_ARENA = re.compile(r"No module named 'arena'|/shims/python")
_LACKS_MODULE = re.compile(r"(?:No module named|Cannot find module) '(?:\./)?(?P<name>[^'.]+)")


class _Case(Struct, frozen=True):
    """A bot that failed."""

    stderr: str
    program: Program
    level: Level

    @property
    def toml(self) -> str:
        program = self.program
        if program.import_folder is not None or not program.files:
            return "its bot.toml"
        return f"{Path(program.files[0]).name}.toml"

    @property
    def is_confined(self) -> bool:
        return self.level in (Level.LITE, Level.SANDBOX)

    @property
    def is_file(self) -> bool:
        return self.program.import_folder is None

    def because(self, promise: str, fix: str) -> str:
        return f"isolation {self.level} promises '{promise}': {fix}"


def hint(stderr: str, program: Program, level: Level) -> str:
    """Return which promise may have made a bot fail, and what to do; empty if none shows."""
    lines = stderr.rstrip().split("\n")[-_READ_LINES:]
    case = _Case("\n".join(line[:_READ_CHARACTERS] for line in lines), program, level)
    return next(filter(None, (of(case) for of in _HINTS)), "")


def _of_python(case: _Case) -> str:
    """Of a command that begins with another Python than the arena's, or a shim for it."""
    first = case.program.argv[0]
    if not _PYTHON.fullmatch(first) or not _NO_ARENA.search(case.stderr):
        return ""
    return f"{first!r} is not the Python that Salvo runs in; {SALVOS_PYTHON}"


def _of_modules(case: _Case) -> str:
    found = _LACKS_MODULE.search(case.stderr)
    if found is None or not case.is_file:
        return ""
    folder, name = Path(case.program.folder), found["name"]
    for beside in (name, f"{name}.py", f"{name}.js"):
        if _is_there(folder / beside):
            how = "the bot as bot.py" if beside.endswith(".py") else "with a bot.toml"
            return (
                f"{beside} lies beside the bot, and a bot that is one file is read alone: put both "
                f"into a folder, {how}, and name the folder"
            )
    return ""


def _of_memory(case: _Case) -> str:
    if case.level is Level.NONE or not _MEMORY.search(case.stderr):
        return ""
    return case.because(
        "memory", f"it has {case.program.memory_mb} MB; give it more with memory_mb in {case.toml}"
    )


def _of_network(case: _Case) -> str:
    if not (case.is_confined and _NETWORK.search(case.stderr) and _REFUSED.search(case.stderr)):
        return ""
    if _BY_SOCKETS.search(case.stderr):
        return _forks(case) or case.because(
            "network",
            "forkserver and Manager need sockets, which no bot has; start processes by "
            'multiprocessing.set_start_method("fork")',
        )
    return case.because("network", "a bot has none; put what it needs into its folder")


def _of_forks(case: _Case) -> str:
    shares = _SHARING.search(case.stderr) and _NOT_THERE in case.stderr
    forks = _FORKING.search(case.stderr) and _REFUSED.search(case.stderr)
    if not (case.is_confined and (forks or shares)):
        return ""
    if refusal := _forks(case):
        return refusal
    if shares:
        return "this machine gives processes nothing to share, as `salvo doctor` says"
    if not _TOO_MANY.search(case.stderr):
        return "its processes cannot leave their session and group: start none in another"
    fix = f"it started too many processes or threads; start fewer than {MAX_PROCESSES}"
    return case.because("tasks", fix)


def _forks(case: _Case) -> str:
    """Return the hint for a bot that may start no processes; empty if it may."""
    if case.level is Level.LITE:
        return case.because(
            "forks", "no bot can start processes here; do without, or use --isolation sandbox"
        )
    if case.program.processes:
        return ""
    return case.because(
        "forks",
        f"start no processes, or set processes = true in {case.toml} and add --allow-processes",
    )


def _of_writing(case: _Case) -> str:
    opens = "Permission denied" in case.stderr and _OPENS_TO_WRITE.search(case.stderr)
    return _writes(case) if opens or _READ_ONLY.search(case.stderr) else ""


def _writes(case: _Case) -> str:
    if not case.is_confined:
        return ""
    fix = "a bot writes no files; print to stderr, which --log DIR keeps"
    if case.level is Level.SANDBOX and not case.program.temporary_mb:
        fix += f"; temporary_mb in {case.toml} gives it a temporary folder"
    return case.because("writing", fix)


def _of_files(case: _Case) -> str:
    names = [found["python"] or found["shell"] for found in _LACKS_FILE.finditer(case.stderr)]
    for name in reversed(names):
        path = Path(os.path.normpath(Path(case.program.folder, name)))  # ".." hides nothing
        there = _is_there(path)
        if there and _is_left_out(path, case.program):
            return (
                f"{path.name} is hidden or compiled Python, which is not part of a bot; name it as "
                f"files in {case.toml}"
            )
        if not there:
            if "Permission denied" in case.stderr:
                return _writes(case)
        elif _is_readable(path, case.program):
            return _writes(case)
        elif path.parent == Path(case.program.folder) and case.is_file:
            own = f"{Path(case.program.files[0]).name}.files" if case.program.files else "a folder"
            fix = (
                f"what lies beside a bot that is one file is not its own; put {path.name} into "
                f"{own} and name it as files in {case.toml}, or make the bot a folder"
            )
            return case.because("files", fix) if case.is_confined else fix
        elif case.is_confined:
            return case.because(
                "files",
                f"put a copy of {path} into the bot's folder, or let every bot read it with "
                f"--grant {path}",
            )
    return ""


def _is_left_out(path: Path, program: Program) -> bool:
    """Return whether a path lies in a bot's folder, but its hash does not cover it."""
    if program.import_folder is None or not path.is_relative_to(program.import_folder):
        return False
    parts = path.relative_to(program.import_folder).parts
    return any(part.startswith(".") or part == "__pycache__" for part in parts)


def _is_there(path: Path) -> bool:
    """Return whether there is a file by a name that a bot wrote, which may be no name at all."""
    return os.path.exists(path)  # noqa: PTH110 - `Path.exists` raises where a name is too long


def _is_readable(path: Path, program: Program) -> bool:
    with contextlib.suppress(OSError):
        return any(path.is_relative_to(place) for place in granted(program))
    return False


_HINTS = (_of_python, _of_modules, _of_memory, _of_network, _of_forks, _of_writing, _of_files)

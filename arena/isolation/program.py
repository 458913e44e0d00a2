"""Describes a bot as a program: its command and environment, and what it has to read."""

import contextlib
import errno
import functools
import os
import shutil
import site
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from arena.isolation.temporary import TEMPORARY

USUAL_MB = 1024
"""The memory that a bot is given without being asked for more, in megabytes."""

_ARENA = Path(__file__).resolve().parent.parent

_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"),
    *("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/ssl/openssl.cnf"),
    *(f"/etc/python3.{sys.version_info.minor}", "/etc/mono"),
    *map(str, sorted(Path("/etc").glob("java-*"))),
)
"""Paths that programs need of a system: code, libraries, how they are found, and the time zone."""

_CERTIFICATES = (
    "/etc/ssl/certs",
    "/etc/ssl/cert.pem",
    "/etc/ca-certificates",
    "/etc/pki/tls/certs",
)
"""Where systems keep the certificates by which a client knows a server."""


class Program(Struct, frozen=True):
    """A bot as it is started.

    Attributes:
        argv: The command, its first part an absolute path or a name on the path.
        import_folder: The folder its own modules are imported from, if it is a folder of Python.
        processes: Whether it starts processes of its own; at ``lite`` none may. ``sandbox`` gives
            them a folder for what they share.
        temporary_mb: How much its temporary folder holds, in megabytes; 0 for none. Only
            ``sandbox`` gives one.
        proc: Whether a box may have a /proc for it; one costs some 10 ms at every start.
        network: What it may reach of the network, each as HOST:PORT. Only ``sandbox`` keeps it to
            that; ``lite`` gives it none.
        secrets: The variables of the arena's environment that it is given; of them only the names
            are here.
        packages: The folders of the packages that it may import beside the arena.
        original: What it is a copy of; None if it is none.
    """

    argv: tuple[str, ...]
    folder: str
    files: tuple[str, ...]
    import_folder: str | None = None
    memory_mb: int = USUAL_MB
    processes: bool = False
    temporary_mb: int = 0
    proc: bool = True
    software: tuple[str, ...] = ()
    grants: tuple[str, ...] = ()
    network: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    original: "Program | None" = None

    @property
    def waits(self) -> bool:
        """Whether it waits for something outside: it needs no processor meanwhile."""
        return bool(self.network)

    @property
    def known_paths(self) -> dict[str, str]:
        """Of a copy, the paths of its original, which its author knows, by its own."""
        if self.original is None:
            return {}
        of_copy, of_original = ((one.folder, *one.files) for one in (self, self.original))
        return dict(zip(of_copy, of_original, strict=True))

    @property
    def secret_values(self) -> dict[str, str]:
        """What is in the variables that it is given, as far as they are set."""
        return {name: os.environ[name] for name in self.secrets if name in os.environ}


def command(program: Program) -> tuple[str, ...]:
    """Return the command with the path of what it starts, found as the system would find it.

    Raises:
        FileNotFoundError: If there is no such program.
        PermissionError: If it may not be executed.
    """
    first, *rest = program.argv
    if "/" not in first:
        found = shutil.which(first, path=_path())
        if found is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), first)
        return (os.path.abspath(found), *rest)  # noqa: PTH100 - resolving links loses the venv
    path = os.path.join(program.folder, first)  # noqa: PTH118 - pathlib would drop a leading ./
    if not Path(path).exists():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), first)
    if Path(path).is_dir() or not os.access(path, os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), first)
    return (os.path.abspath(path), *rest)  # noqa: PTH100 - the same


def environment(program: Program) -> dict[str, str]:
    """Return the environment a bot starts with: of the arena's own, its secrets alone."""
    variables = {
        **program.secret_values,
        "PATH": _searched(program),
        "HOME": program.folder,
        "LANG": "C.UTF-8",
        # Sets of strings iterate in one order, so that a seed alone decides what a bot does.
        "PYTHONHASHSEED": "0",
        # One game is no place for a pool of threads, and sums must not depend on their number.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        # The C library keeps some memory that was freed, rather than have the kernel clear the same
        # pages for every large array that a bot makes: up to a fifth of its processor time.
        "MALLOC_MMAP_THRESHOLD_": str(4 << 20),
        "MALLOC_TRIM_THRESHOLD_": str(16 << 20),
    }
    if site.ENABLE_USER_SITE:
        # What was installed for the user would be looked for in HOME, which is another now.
        variables["PYTHONUSERBASE"] = site.getuserbase()
    if program.temporary_mb:
        variables["TMPDIR"] = TEMPORARY
    if program.original is not None:
        # A copy stays what was hashed; what was compiled before, as with packages, is still read.
        variables["PYTHONDONTWRITEBYTECODE"] = "1"
    if program.import_folder is not None:
        variables["PYTHONPATH"] = program.import_folder
    return variables


def granted(program: Program) -> tuple[str, ...]:
    """Return the paths that a bot may read, outermost first, none inside another.

    They are its own files, what it was granted, the program it runs, the interpreter of the arena
    with the libraries installed for it, and the libraries of the system. Paths are as they are
    named; a symbolic link's target is named too.

    Raises:
        FileNotFoundError: If a file of the bot's own, or what it was granted, does not exist.
        PermissionError: If the program may not be executed.
        OSError: If a file of the bot's own has become a link, by which it would be given what lies
            elsewhere.
    """
    for path in program.files:
        if os.path.realpath(path) != path and Path(path).exists():
            raise OSError(errno.ELOOP, "it became a link", path)
    named = (*program.files, *program.software, *program.grants)
    of_network = filter(os.path.exists, _CERTIFICATES if program.network else ())
    for path in named:
        if not Path(path).exists():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return _granted(command(program)[0], (*named, *of_network, *program.packages, str(_ARENA)))


def readable(program: Program, path: Path) -> str | None:
    """Return what a bot may read that holds a path, or lies in it and is not the bot's own.

    None if there is nothing, or the bot cannot be started.
    """
    real = path.resolve()
    with contextlib.suppress(OSError):
        for place in granted(program):
            inside = Path(place).is_relative_to(real) and place not in program.files
            if inside or real.is_relative_to(place):
                return place
    return None


@functools.lru_cache(maxsize=256)
def _granted(started: str, files: tuple[str, ...]) -> tuple[str, ...]:
    # Following every link takes as long as building a box, and where they lead does not change.
    wanted = [*_SYSTEM, *_interpreter(), *_links(started), *files]
    return _outermost(path for name in wanted for path in (name, os.path.realpath(name)))


def listed(program: Program) -> tuple[str, ...]:
    """Return the folders whose names, but not whose contents, importing needs to see."""
    # In a development install the packages lie in the checkout, and nothing else there is granted.
    folders = {str(_ARENA.parent), *(str(Path(package).parent) for package in program.packages)}
    if program.import_folder is not None:
        folders.add(program.import_folder)
    return tuple(sorted(folders))


def _interpreter() -> Iterator[str]:
    yield from (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)
    if site.ENABLE_USER_SITE:
        yield site.getusersitepackages()


def _links(path: str) -> Iterator[str]:
    """Yield a path and each that a chain of symbolic links leads to from it."""
    seen: set[str] = set()
    while path not in seen:
        seen.add(path)
        yield path
        if Path(path).is_symlink():
            target = str(Path(path).readlink())
            path = os.path.normpath(Path(path).parent / target)


def _outermost(paths: Iterable[str]) -> tuple[str, ...]:
    kept: list[str] = []
    for path in sorted({os.path.abspath(path) for path in paths}, key=len):  # noqa: PTH100
        inside = any(path == outer or path.startswith(f"{outer}/") for outer in kept)
        if not inside and Path(path).exists():
            kept.append(path)
    return tuple(kept)


def _searched(program: Program) -> str:
    """Return the PATH of a bot: of the operator's, what a box lets bots read.

    By it ``#!/usr/bin/env node`` finds what is installed for all, the programs of the environment
    that the arena runs in, what is granted, and what lies beside the program that is started.
    """
    if not sys.platform.startswith("linux"):  # there is no box
        return _path()
    readable = (*_SYSTEM, "/opt", *_interpreter(), *program.software, *program.grants)
    places = {os.path.dirname(command(program)[0]), *readable}  # noqa: PTH120 - of the path as it is written
    kept = (
        place
        for place in _path().split(os.pathsep)
        if any(place == one or place.startswith(f"{one}/") for one in places)
    )
    return os.pathsep.join(kept) or os.defpath


def _path() -> str:
    return os.environ.get("PATH", os.defpath)

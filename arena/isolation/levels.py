"""Defines the isolation levels, and starts bots at them."""

import contextlib
import functools
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from enum import StrEnum

from arena.isolation.bubblewrap import DEVICES, proc_texts, wrap
from arena.isolation.child import Child, Origin
from arena.isolation.confinement import confine, die_with_arena
from arena.isolation.landlock import Ruleset
from arena.isolation.memory_use import out_of_memory_kills
from arena.isolation.network import VARIABLES, Outlet
from arena.isolation.orphans import MARK, Mark, adopt_orphans, end_abandoned
from arena.isolation.program import Program, command, environment, granted, listed
from arena.isolation.seccomp import Filter, supported
from arena.isolation.signals import ENDING, held_back
from arena.isolation.slots import Slot, needs_root, take_slot
from arena.isolation.temporary import SHARED, TEMPORARY, folders_in_memory, mounting

STARTS_S = 10.0
"""Time for a box to start when it is only tried out."""


class Level(StrEnum):
    """A level of isolation; the package's docstring says what each promises."""

    NONE = "none"
    LIMITS = "limits"
    LITE = "lite"
    SANDBOX = "sandbox"


class Extra(StrEnum):
    """An extra that a box is given where the machine allows it; its promises hold without."""

    PROC = "proc"
    NETWORK = "network"
    RULES = "rules"
    SHARED = "shared"
    TEMPORARY = "temporary"


EXTRAS = {
    Extra.PROC: "a /proc of its own processes, which the JVM and mono need",
    Extra.NETWORK: "a way to the addresses that its TOML names, if the operator allows them",
    Extra.RULES: (
        "rules for that /proc, which without them shows what other processes have in memory, "
        "and to bots that may start processes always does"
    ),
    Extra.SHARED: (
        "a folder in memory for what its processes share (/dev/shm), which multiprocessing needs, "
        "if it may start processes"
    ),
    Extra.TEMPORARY: "a temporary folder, if its TOML asks for one",
}
"""A description of each."""


def start(level: Level, program: Program) -> Child:
    """Start a bot at a level of isolation.

    Raises:
        OSError: If the program cannot be started, or the level is not available here; it names
            files as the bot's author knows them.
    """
    try:
        return _start(level, program)
    except OSError as error:
        if error.filename in program.known_paths:
            error.filename = program.known_paths[error.filename]
        raise


def _start(level: Level, program: Program) -> Child:
    if level is Level.NONE:
        bind = die_with_arena() if sys.platform == "linux" else None
        return _spawn(command(program), program, bind=bind)
    slot = take_slot() if sys.platform == "linux" and os.geteuid() == 0 else None
    try:
        match level:
            case Level.LIMITS:
                return _start_with_limits(program, slot)
            case Level.LITE:
                return _start_behind_rules(program, slot)
            case Level.SANDBOX:
                return _start_in_box(program, slot)
    except BaseException:
        if slot is not None:
            slot.close()
        raise


def _start_with_limits(program: Program, slot: Slot | None) -> Child:
    argv = command(program)
    if slot is not None:
        slot.reads_any = needs_root(granted(program), folders_too=True)
    bind = confine(program.memory_mb, slot)
    return _spawn(argv, program, bind=bind, slot=slot, memory_mb=program.memory_mb)


def _start_behind_rules(program: Program, slot: Slot | None) -> Child:
    calls = _call_filter(processes=False, others=False)
    paths = granted(program)
    if slot is not None:
        slot.reads_any = needs_root(paths, folders_too=True)
    rules = Ruleset(paths, listed(program), DEVICES)
    try:
        bind = confine(program.memory_mb, slot, rules, calls)
        argv = command(program)
        return _spawn(argv, program, bind=bind, slot=slot, memory_mb=program.memory_mb)
    finally:
        rules.close()


def _start_in_box(program: Program, slot: Slot | None) -> Child:
    wanted = []
    if program.processes:
        wanted.append(Extra.SHARED)
    if program.temporary_mb:
        wanted.append(Extra.TEMPORARY)
    if program.network:
        wanted.append(Extra.NETWORK)
    extras = [*_proc(program), *(extra for extra in wanted if refused(extra) is None)]
    return _start_with_extras(program, slot, extras)


def _proc(program: Program) -> list[Extra]:
    if not program.proc:
        return []
    # Rules are for the entry of one process: others would find themselves no more.
    if not program.processes and refused(Extra.RULES) is None:
        return [Extra.PROC, Extra.RULES]  # what rules were tried on was a /proc
    return [] if refused(Extra.PROC) else [Extra.PROC]


@functools.cache
def refused(extra: Extra) -> str | None:
    """Return why no box has an extra on this machine, or None if it has.

    The first call for each starts a box, which takes about 20 ms.
    """
    network = ("localhost:443",) if extra is Extra.NETWORK else ()
    program = Program(
        ("true",), "/", (), temporary_mb=int(extra is Extra.TEMPORARY), network=network
    )
    slot = None
    try:
        slot = take_slot() if os.geteuid() == 0 else None
        child = _start_with_extras(
            program, slot, [Extra.PROC, extra] if extra is Extra.RULES else [extra]
        )
    except OSError as error:
        if slot is not None:
            slot.close()
        return str(error)
    try:
        child.wait(STARTS_S)
        status = child.status()
        os.set_blocking(child.stderr, False)
        written = b""
        with contextlib.suppress(BlockingIOError):
            written = os.read(child.stderr, 4096)
    finally:
        child.kill()
    if status == "exited with code 0":
        return None
    return (
        written.decode("utf-8", "replace").strip().split("\n")[-1] or status or "it did not start"
    )


def _start_with_extras(program: Program, slot: Slot | None, extras: Collection[Extra]) -> Child:
    # The box dies with the arena by itself, but only once it is running.
    before: list[Callable[[], None]] = []
    sizes_mb = {
        path: megabytes
        for extra, path, megabytes in (
            (Extra.SHARED, SHARED, program.memory_mb),
            (Extra.TEMPORARY, TEMPORARY, program.temporary_mb),
        )
        if extra in extras
    }
    in_memory = folders_in_memory(sizes_mb, granted(program))
    if in_memory:
        before.append(mounting(in_memory, slot.uid if slot else None))
    before.append(die_with_arena())

    def bind() -> None:
        for step in before:
            step()

    rules = Extra.RULES in extras
    calls = _call_filter(
        processes=program.processes,
        others=True,
        drop=slot is not None,
        writes=bool(in_memory),
        network=Extra.NETWORK in extras,
    )
    with contextlib.ExitStack() as stack, contextlib.ExitStack() as unless_started:
        descriptor = stack.enter_context(_held(bytes(calls)))
        texts = proc_texts(program.memory_mb) if Extra.PROC in extras else {}
        proc = {path: stack.enter_context(_held(text)) for path, text in texts.items()}
        outlet = Outlet(program.network) if Extra.NETWORK in extras else None
        of_outlet: tuple[int, ...] = ()
        if outlet is not None:
            unless_started.callback(outlet.close)
            of_outlet = outlet.descriptors
        child = _spawn(
            wrap(
                *(program, slot, descriptor),
                proc=proc,
                rules=rules,
                in_memory=in_memory,
                outlet=of_outlet,
            ),
            program,
            bind=bind,
            slot=slot,
            box=[descriptor, *proc.values(), *of_outlet],
            memory_mb=program.memory_mb,
            shares=Extra.SHARED in extras,
            outlet=outlet,
        )
        unless_started.pop_all()
    if outlet is not None:
        _open(outlet, child)
    return child


def _open(outlet: Outlet, child: Child) -> None:
    """Let a child begin that waits for its way out of the box; it is killed if there is none."""
    try:
        with _signals_held(die_with_arena()) as prepare:
            outlet.open(prepare)
    except BaseException:
        child.kill()
        raise


@contextlib.contextmanager
def _held(data: bytes) -> Iterator[int]:
    descriptor = os.memfd_create("salvo")
    try:
        with os.fdopen(os.dup(descriptor), "wb") as file:
            file.write(data)
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)


@functools.cache
def _call_filter(
    *,
    processes: bool,
    others: bool,
    drop: bool = False,
    writes: bool = False,
    network: bool = False,
) -> Filter:
    missing = supported()
    if missing is not None:
        raise OSError(missing)
    return Filter(processes=processes, others=others, drop=drop, writes=writes, network=network)


def _spawn(  # noqa: PLR0913 - one parameter for each way in which levels differ
    argv: Sequence[str],
    program: Program,
    *,
    bind: Callable[[], None] | None = None,
    slot: Slot | None = None,
    box: Sequence[int] | None = None,
    memory_mb: int | None = None,
    shares: bool = False,
    outlet: Outlet | None = None,
) -> Child:
    """Start a program, or a command that wraps it, in its own session with pipes.

    ``bind`` is called in the new process just before exec. That is only safe in a process with one
    thread, which is why single-threaded workers start the bots. A box reads the descriptors in
    ``box``. The slot is released, and the outlet closed, when the child is killed.
    """
    end_abandoned()
    adopt_orphans()
    mark = str(Mark.new())
    origin = Origin(
        mark, slot, box is not None, out_of_memory_kills(), memory_mb, program.processes, shares
    )
    try:
        with _signals_held(bind) as prepare:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                # A box changes into the folder inside; outside, it may not be accessible.
                cwd=program.folder if box is None else "/",
                env={**environment(program), **(VARIABLES if outlet else {}), MARK: mark},
                start_new_session=True,
                pass_fds=box or (),
                preexec_fn=prepare,  # noqa: PLW1509 - see above
            )
    except subprocess.SubprocessError as error:
        raise OSError(f"the bot's process could not be confined: {error}") from error
    return Child(process, origin, outlet)


@contextlib.contextmanager
def _signals_held(bind: Callable[[], None] | None) -> Iterator[Callable[[], None] | None]:
    """Hold back the signals that end the arena while Python forks for ``bind``.

    Handlers that raise are not heard while Python's own callbacks of a fork run. The new process
    takes signals again before it is confined, and ends by them.
    """
    if bind is None:
        yield None
        return
    with held_back() as before:

        def prepare() -> None:
            for number in ENDING:
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            bind()

        yield prepare

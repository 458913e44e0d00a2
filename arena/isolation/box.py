"""Starts a bot in its box, with what boxes are given where this machine allows it."""

import contextlib
import functools
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from enum import StrEnum

from arena.isolation.bubblewrap import wrap
from arena.isolation.child import Child
from arena.isolation.confinement import die_with_arena
from arena.isolation.proc import proc_texts
from arena.isolation.program import Program, granted
from arena.isolation.seccomp import Filter, supported
from arena.isolation.slots import Slot, take_slot
from arena.isolation.spawn import spawn
from arena.isolation.temporary import mounting, place_for

STARTS_S = 10.0
"""How long a box may take to start that is only tried."""


class Extra(StrEnum):
    """What a box is given, though none has to have it to hold."""

    PROC = "proc"
    RULES = "rules"
    TEMPORARY = "temporary"


EXTRAS = {
    Extra.PROC: "a /proc of its own processes, which the JVM and mono need",
    Extra.RULES: (
        "rules for that /proc, which without them shows what other processes have in memory, "
        "and to bots that may start processes always does"
    ),
    Extra.TEMPORARY: "a temporary folder, if its TOML asks for one",
}
"""What each is, in words."""


def start_in_box(program: Program, slot: Slot | None) -> Child:
    """Start a bot in a box.

    Raises:
        OSError: If it cannot be started.
    """
    wanted = [Extra.PROC]
    if not program.processes:
        # Rules are for the entry of one process: others would find themselves no more.
        wanted.append(Extra.RULES)
    if program.temporary_mb:
        wanted.append(Extra.TEMPORARY)
    return _start(program, slot, [extra for extra in wanted if refused(extra) is None])


@functools.cache
def refused(extra: Extra) -> str | None:
    """Return why no box has an extra on this machine, or None if it has.

    The first call for each starts a box, which takes about 20 ms.
    """
    program = Program(("true",), "/", (), temporary_mb=int(extra is Extra.TEMPORARY))
    slot = None
    try:
        slot = take_slot() if os.geteuid() == 0 else None
        child = _start(program, slot, [Extra.PROC, extra] if extra is Extra.RULES else [extra])
    except OSError as error:
        if slot is not None:
            slot.close()
        return str(error)
    try:
        child.wait(STARTS_S)
        status = child.status()
        os.set_blocking(child.stderr, False)
        said = b""
        with contextlib.suppress(BlockingIOError):
            said = os.read(child.stderr, 4096)
    finally:
        child.kill()
    if status == "exited with code 0":
        return None
    return said.decode("utf-8", "replace").strip().split("\n")[-1] or status or "it did not start"


def _start(program: Program, slot: Slot | None, extras: Collection[Extra]) -> Child:
    # The box dies with the arena by itself, but only once it is running.
    before: list[Callable[[], None]] = []
    place = None
    if Extra.TEMPORARY in extras:
        place = place_for(granted(program))
        before.append(mounting(place, program.temporary_mb, slot.uid if slot else None))
    before.append(die_with_arena())
    rules = Extra.RULES in extras
    calls = call_filter(
        processes=program.processes, others=True, drop=slot is not None, writes=place is not None
    )
    with contextlib.ExitStack() as stack:
        descriptor = stack.enter_context(_held(bytes(calls)))
        texts = proc_texts(program.memory_mb) if Extra.PROC in extras else {}
        proc = {path: stack.enter_context(_held(text)) for path, text in texts.items()}
        return spawn(
            wrap(program, slot, descriptor, proc=proc, rules=rules, temporary=place),
            program,
            confine=lambda: _each(before),
            slot=slot,
            box=[descriptor, *proc.values()],
            memory_mb=program.memory_mb,
        )


def _each(steps: Iterable[Callable[[], None]]) -> None:
    for step in steps:
        step()


@contextlib.contextmanager
def _held(data: bytes) -> Iterator[int]:
    """Yield a descriptor from which data can be read once."""
    descriptor = os.memfd_create("salvo")
    try:
        with os.fdopen(os.dup(descriptor), "wb") as file:
            file.write(data)
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)


@functools.cache
def call_filter(
    *, processes: bool, others: bool, drop: bool = False, writes: bool = False
) -> Filter:
    """Return a filter of system calls, see ``Filter``.

    Raises:
        OSError: If there is none for this machine.
    """
    missing = supported()
    if missing is not None:
        raise OSError(missing)
    return Filter(processes=processes, others=others, drop=drop, writes=writes)

"""The isolation levels, and how each starts a bot."""

import os
import sys
from enum import StrEnum

from arena.isolation.box import call_filter, start_in_box
from arena.isolation.bubblewrap import DEVICES
from arena.isolation.child import Child
from arena.isolation.confinement import confine, die_with_arena
from arena.isolation.landlock import Ruleset
from arena.isolation.program import Program, command, granted, listed
from arena.isolation.slots import Slot, needs_root, take_slot
from arena.isolation.spawn import spawn


class Level(StrEnum):
    """How isolated a bot is; see the package's docstring for what each promises."""

    NONE = "none"
    LIMITS = "limits"
    LITE = "lite"
    SANDBOX = "sandbox"


def start(level: Level, program: Program) -> Child:
    """Start a bot at a level of isolation.

    Raises:
        OSError: If the program cannot be started, or the level is not available here.
    """
    if level is Level.NONE:
        bind = die_with_arena() if sys.platform == "linux" else None
        return spawn(command(program), program, confine=bind)
    slot = take_slot() if sys.platform == "linux" and os.geteuid() == 0 else None
    try:
        match level:
            case Level.LIMITS:
                return _start_with_limits(program, slot)
            case Level.LITE:
                return _start_behind_rules(program, slot)
            case Level.SANDBOX:
                return start_in_box(program, slot)
    except BaseException:
        if slot is not None:
            slot.close()
        raise


def _start_with_limits(program: Program, slot: Slot | None) -> Child:
    argv = command(program)
    if slot is not None:
        slot.reads_any = needs_root(granted(program), folders_too=True)
    bind = confine(program.memory_mb, slot)
    return spawn(argv, program, confine=bind, slot=slot, memory_mb=program.memory_mb)


def _start_behind_rules(program: Program, slot: Slot | None) -> Child:
    calls = call_filter(processes=False, others=False)
    paths = granted(program)
    if slot is not None:
        slot.reads_any = needs_root(paths, folders_too=True)
    rules = Ruleset(paths, listed(program), DEVICES)
    try:
        bind = confine(program.memory_mb, slot, rules, calls)
        argv = command(program)
        return spawn(argv, program, confine=bind, slot=slot, memory_mb=program.memory_mb)
    finally:
        rules.close()

"""Starts bots, each in a process of its own, as isolated as the level promises.

The levels, from the weakest to the strongest:

``none``
    A process with a clean environment, no inherited descriptors and a session of its own, which
    on Linux dies with its parent. Trust your bots; faults of protocol are survived.
``limits``
    The same with limits on memory, files and file sizes and no new privileges; processes that it
    leaves behind are ended, unless they hide. Accidents are contained; there is no protection from
    malice.
``lite``
    Linux. The same behind Landlock and a seccomp filter: a bot reads its own files, its
    interpreter and installed libraries, and writes nothing; it reaches no network and no other
    process, and starts threads but no processes. It can still tell whether a path exists, with
    its size and times, and so which process ids are taken.
``sandbox``
    Linux, with bubblewrap. The same filter in namespaces of its own: the host's files and
    processes are not there at all, and the whole tree of a bot dies at once.

As root, every level but ``none`` gives each bot a uid of its own and takes every capability from
it, but for that to read, if the interpreter or the bot lies where only root may look.

At ``lite`` and ``sandbox`` no bot can end itself so that it seems killed from outside. At every
level bots are ended before the arena when memory runs out. What no level promises stands in
``NOT_PROMISED``.
"""

from arena.isolation.child import Child
from arena.isolation.choice import AUTO, Choice, choose
from arena.isolation.kernel import die_with_parent
from arena.isolation.levels import Level, start
from arena.isolation.orphans import adopt_orphans, children_of, end_orphans
from arena.isolation.program import USUAL_MB, Program
from arena.isolation.proof import MEANINGS, NOT_PROMISED, PROMISES, Promise, prove

__all__ = [
    "AUTO",
    "MEANINGS",
    "NOT_PROMISED",
    "PROMISES",
    "USUAL_MB",
    "Child",
    "Choice",
    "Level",
    "Program",
    "Promise",
    "adopt_orphans",
    "children_of",
    "choose",
    "die_with_parent",
    "end_orphans",
    "prove",
    "start",
]

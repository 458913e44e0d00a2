"""Starts each bot in its own process, as isolated as its level promises.

The levels, from the weakest to the strongest:

``none``
    A process with a clean environment, no inherited descriptors and its own session; on Linux it
    dies with its parent. Only for bots you trust; broken protocol does no harm.
``limits``
    Adds limits on memory, open files and file sizes, and no new privileges; processes that a bot
    leaves behind are killed, unless they hide. Contains accidents, not malice.
``lite``
    Linux. Adds Landlock and a seccomp filter: a bot can read its own files, its interpreter,
    installed libraries and, of its own entry in /proc, what runtimes need, and write nothing; it
    cannot reach the network or another process, and may start threads but no processes. It can
    still see whether a path exists, its size and its times, and so which process ids are in use.
``sandbox``
    Linux, with bubblewrap. The same filter in separate namespaces: the host's files and processes
    do not exist inside, and all processes of a bot die at once. Where the machine allows it, a box
    has a /proc of its own processes, of which a bot that starts none can open what it can at
    ``lite``, a folder in memory for what the processes of a bot that may start some share, and a
    temporary folder for a bot that asks for one. A bot that was allowed addresses of the network
    reaches those, by a proxy of the arena's, and nothing else.

As root, every level but ``none`` gives each bot its own uid and drops all capabilities, except
the one to read any file if the interpreter or the bot is readable by root alone.

At ``lite`` and ``sandbox`` a bot cannot kill itself in a way that looks like a kill from outside;
one that may start processes may kill them, and what is killed in its box counts as its own doing.
At every level the kernel kills bots before the arena when memory runs out. ``NOT_PROMISED`` lists
what no level promises.
"""

from arena.isolation.child import Child
from arena.isolation.clock import own_wait_s
from arena.isolation.fixes import fix_extra
from arena.isolation.hints import SALVOS_PYTHON, hint
from arena.isolation.kernel import die_with_parent
from arena.isolation.levels import EXTRAS, Extra, Level, refused, start
from arena.isolation.network import parse_address
from arena.isolation.orphans import adopt_orphans, children_of, end_children, end_orphans
from arena.isolation.program import USUAL_MB, Program, granted, readable
from arena.isolation.proof import (
    AUTO,
    MEANINGS,
    NOT_PROMISED,
    PROMISES,
    Choice,
    Promise,
    choose,
    prove,
)
from arena.isolation.signals import ENDING, held_back, leave_when_told

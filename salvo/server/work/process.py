"""Runs one worker process: ``python -m salvo.server.work.process ROLE LEAGUE SERVER``.

SERVER is the id of the process that started it. It ends when that does, at whatever moment: first
of all it has the kernel see to that. What it works with is imported afterwards, which takes seconds
on a busy machine.
"""

import sys
from pathlib import Path

from arena.isolation import die_with_parent


def main() -> None:
    """Do the work of a role until the server ends."""
    role, folder, server = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    if die_with_parent(server):
        from salvo.server.work.loops import work  # noqa: PLC0415 - not before the line above

        work(role, folder, lambda: die_with_parent(server))


if __name__ == "__main__":
    main()

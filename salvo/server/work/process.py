"""Runs the worker processes: ``python -m salvo.server.work.process LEAGUE SERVER ROLE ...``.

SERVER is the id of the process that started it. It ends when that does, at whatever moment: first
of all it has the kernel see to that. What it works with is imported afterwards, which takes a
second on a busy machine.
"""

import sys
from pathlib import Path

from arena.isolation import die_with_parent


def main() -> None:
    """Have the roles done until the server ends."""
    folder, server, roles = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    if die_with_parent(server):
        from salvo.server.work.workers import keep_working  # noqa: PLC0415 - not before that line

        keep_working(folder, roles, lambda: die_with_parent(server))


if __name__ == "__main__":
    main()

"""Enter the namespace of the arena's host name."""

from pathlib import Path

from hostile import call, reached, targets

with Path(f"/proc/{targets['arena_pid']}/ns/uts").open("rb") as namespace:
    call(308, 268, namespace.fileno(), 0)
reached("entered")

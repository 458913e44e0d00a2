"""Search the memory of the opponent for its secret."""

from pathlib import Path

from hostile import targets, tell

start = targets["opponent_address"]
with Path(f"/proc/{targets['opponent_pid']}/mem").open("rb", buffering=0) as memory:
    memory.seek(start)
    tell(memory.read(targets["secret_size"]))

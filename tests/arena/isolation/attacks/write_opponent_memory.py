"""Overwrite the secret in the memory of the opponent."""

from pathlib import Path

from hostile import targets

with Path(f"/proc/{targets['opponent_pid']}/mem").open("r+b", buffering=0) as memory:
    memory.seek(targets["opponent_address"])
    memory.write(b"X" * targets["secret_size"])

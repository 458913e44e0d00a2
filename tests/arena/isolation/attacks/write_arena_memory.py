"""Overwrite the secret in the memory of the arena."""

from pathlib import Path

from hostile import targets

with Path(f"/proc/{targets['arena_pid']}/mem").open("r+b", buffering=0) as memory:
    memory.seek(targets["arena_address"])
    memory.write(b"X" * targets["secret_size"])

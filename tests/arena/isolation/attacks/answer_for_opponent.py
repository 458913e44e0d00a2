"""Write an answer into the opponent's own output."""

from pathlib import Path

from hostile import targets

with Path(f"/proc/{targets['opponent_pid']}/fd/1").open("wb", buffering=0) as output:
    output.write(b"forged\n")

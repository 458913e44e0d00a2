"""Read the environment of the opponent."""

from pathlib import Path

from hostile import reached, targets

found = Path(f"/proc/{targets['opponent_pid']}/environ").read_bytes()
if b"HOME=" in found:
    reached("read")

"""Read the environment of the arena."""

from pathlib import Path

from hostile import reached, targets

found = Path(f"/proc/{targets['arena_pid']}/environ").read_bytes()
if b"HOME=" in found:
    reached("read")

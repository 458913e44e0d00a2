"""Leave a file in /dev/shm."""

from pathlib import Path

from hostile import targets

Path("/dev/shm", targets["token"]).write_text("left")  # noqa: S108

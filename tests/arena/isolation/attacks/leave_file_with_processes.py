"""Leave a file in the folder that processes share for whoever comes next."""

from pathlib import Path

from hostile import targets

Path("/dev/shm", targets["token"]).write_text("left")  # noqa: S108

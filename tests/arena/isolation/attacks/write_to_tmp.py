"""Leave a file in /tmp."""

from pathlib import Path

from hostile import targets

Path("/tmp", targets["token"]).write_text("left")  # noqa: S108

"""Leave a file in /var/tmp."""

from pathlib import Path

from hostile import targets

Path("/var/tmp", targets["token"]).write_text("left")  # noqa: S108

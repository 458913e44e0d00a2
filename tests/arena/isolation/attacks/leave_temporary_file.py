"""Leave a file in the temporary folder for whoever comes next."""

from pathlib import Path

from hostile import targets

Path("/tmp", targets["token"]).write_text("left")  # noqa: S108

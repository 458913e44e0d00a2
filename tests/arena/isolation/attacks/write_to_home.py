"""Leave a file in the home of who runs the arena."""

from pathlib import Path

from hostile import targets

Path(targets["home"], targets["token"]).write_text("left")

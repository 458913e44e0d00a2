"""Leave a file beside itself, for its next life."""

from pathlib import Path

from hostile import targets

Path(__file__).with_name(targets["token"]).write_text("left")

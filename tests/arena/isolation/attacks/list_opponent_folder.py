"""List the folder of the opponent."""

from pathlib import Path

from hostile import reached, targets

reached(str(list(Path(targets["opponent_file"]).parent.iterdir())))

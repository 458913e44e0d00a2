"""Learn that the opponent exists."""

import os

from hostile import reached, targets

os.getpgid(targets["opponent_pid"])
reached("seen")

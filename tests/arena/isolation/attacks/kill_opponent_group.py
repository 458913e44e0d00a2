"""Kill the opponent by its group."""

import os
import signal

from hostile import targets

os.killpg(targets["opponent_group"], signal.SIGKILL)

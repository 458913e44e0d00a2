"""Send SIGSTOP to the opponent."""

import os
import signal

from hostile import targets

os.kill(targets["opponent_pid"], signal.SIGSTOP)

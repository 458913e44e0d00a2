"""Send SIGKILL to the arena."""

import os
import signal

from hostile import targets

os.kill(targets["arena_pid"], signal.SIGKILL)

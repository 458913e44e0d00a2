"""Lower the priority of the arena."""

import os

from hostile import targets

os.setpriority(os.PRIO_PROCESS, targets["arena_pid"], 15)

"""Lower the priority of the opponent."""

import os

from hostile import targets

os.setpriority(os.PRIO_PROCESS, targets["opponent_pid"], 15)

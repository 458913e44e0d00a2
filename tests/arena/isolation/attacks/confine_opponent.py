"""Move the opponent to one processor."""

import os

from hostile import targets

os.sched_setaffinity(targets["opponent_pid"], {0})

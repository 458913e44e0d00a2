"""Let the opponent run only when nobody else does."""

import os

from hostile import targets

os.sched_setscheduler(targets["opponent_pid"], os.SCHED_IDLE, os.sched_param(0))

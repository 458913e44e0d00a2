"""Learn how long the opponent has computed."""

import time

from hostile import reached, targets

reached(str(time.clock_gettime(~targets["opponent_pid"] << 3 | 2)))

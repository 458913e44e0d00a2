"""Send SIGKILL to the opponent, and to all of its group, as a bot may to its own processes."""

import os
import signal
from contextlib import suppress

from hostile import targets

for target in (targets["opponent_pid"], -targets["opponent_group"]):
    with suppress(OSError):
        os.kill(target, signal.SIGKILL)

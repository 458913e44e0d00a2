"""Send SIGKILL to all of its own group, so that the box seems killed from outside."""

import os
import signal

os.kill(0, signal.SIGKILL)

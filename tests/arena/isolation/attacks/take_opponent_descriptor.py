"""Take a descriptor of the opponent with pidfd_getfd."""

import os

from hostile import call, targets, tell

process = call(434, 434, targets["opponent_pid"], 0)
descriptor = call(438, 438, process, targets["opponent_descriptor"], 0)
tell(os.pread(descriptor, 1000, 0))

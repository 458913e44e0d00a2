"""Take a descriptor of the arena with pidfd_getfd."""

import os

from hostile import call, targets, tell

process = call(434, 434, targets["arena_pid"], 0)
descriptor = call(438, 438, process, targets["arena_descriptor"], 0)
tell(os.pread(descriptor, 1000, 0))

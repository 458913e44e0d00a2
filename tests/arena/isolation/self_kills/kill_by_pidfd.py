"""Sends itself the signal by a descriptor of itself."""

import os

from calls import call

call(424, 424, os.pidfd_open(os.getpid()), 9, None, 0)

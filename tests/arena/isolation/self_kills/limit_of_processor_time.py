"""Computes past a limit on its processor time that it sets itself."""

import os
import resource
import time

from calls import call

try:
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
except OSError:
    call(302, 261, os.getpid(), 0, (resource.RLIM_INFINITY).to_bytes(8, "little", signed=True), None)
until = time.process_time() + 2
while time.process_time() < until:
    pass

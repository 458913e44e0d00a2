"""Computes past a limit on what a process of real time may run without a pause."""

import os
import resource
import time

resource.setrlimit(resource.RLIMIT_RTTIME, (1000, 1000))
os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
until = time.process_time() + 1
while time.process_time() < until:
    pass

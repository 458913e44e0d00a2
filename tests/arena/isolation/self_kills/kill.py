"""Sends itself the signal."""

import os

os.kill(os.getpid(), 9)

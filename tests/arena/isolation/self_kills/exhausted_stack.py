"""Becomes a program when there is no room for its stack."""

import os
import resource
import sys

resource.setrlimit(resource.RLIMIT_STACK, (4096, 4096))
os.execv(sys.executable, [sys.executable, "-c", "print()", "x" * 3000])  # noqa: S606 - the trick

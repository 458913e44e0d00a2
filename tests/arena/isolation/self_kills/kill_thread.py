"""Sends its thread the signal, by either call."""

import contextlib
import os

from calls import call

for numbers, ids in (((200, 130), 1), ((234, 131), 2)):
    with contextlib.suppress(OSError):
        call(*numbers, *[os.getpid()] * ids, 9)

"""Sends itself the signal with a word from itself, which needs no right."""

import contextlib
import ctypes
import os

from calls import call

SI_QUEUE = -1
word = (ctypes.c_int * 32)(9, 0, SI_QUEUE, 0, os.getpid(), os.getuid())
for numbers, ids in (((129, 138), 1), ((297, 240), 2)):
    with contextlib.suppress(OSError):
        call(*numbers, *[os.getpid()] * ids, 9, word)

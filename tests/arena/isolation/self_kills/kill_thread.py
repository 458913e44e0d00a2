"""Sends its thread the signal, by either call."""

import os

from calls import call

for numbers, ids in (((200, 130), 1), ((234, 131), 2)):
    try:
        call(*numbers, *[os.getpid()] * ids, 9)
    except OSError as error:
        print(error)

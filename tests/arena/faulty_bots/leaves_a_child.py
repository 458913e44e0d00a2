"""Leaves, and a child of it holds its pipes open."""

import os
import time

from honest import Message, play


def leave(_: Message) -> None:
    if os.fork():
        os._exit(5)
    time.sleep(60)


play(place=leave)

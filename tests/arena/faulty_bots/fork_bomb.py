"""Starts processes that start processes, sixteen in all, and says no more."""

import contextlib
import os

from honest import Message, play, third


def bomb(_: Message) -> None:
    for _ in range(4):
        with contextlib.suppress(OSError):
            os.fork()  # sixteen in the end, with this one
    while True:
        pass


play(shoot=third(bomb))

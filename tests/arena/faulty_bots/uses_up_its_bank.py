"""Stays within the time for each move, and not within that for the game."""

import time

from honest import Message, play, shots


def ponder(message: Message) -> Message:
    time.sleep(0.14)
    return shots(message)


play(shoot=ponder)

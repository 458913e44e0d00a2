"""Answers rightly, and too late."""

import time

from honest import Message, play, shots, third


def oversleep(message: Message) -> Message:
    time.sleep(1)
    return shots(message)


play(shoot=third(oversleep))

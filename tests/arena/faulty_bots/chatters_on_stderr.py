"""Writes 100 KB to stderr before each answer."""

import sys

from honest import Message, play, shots


def chatter(message: Message) -> Message:
    sys.stderr.write("I think that " * 8000 + "\n")
    return shots(message)


play(shoot=chatter)

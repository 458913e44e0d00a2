"""Leaves in the middle of a line."""

import sys

from honest import Message, line, play, shots, write


def leave(message: Message) -> None:
    write(line(shots(message))[:20])
    sys.exit(0)


play(shoot=leave)

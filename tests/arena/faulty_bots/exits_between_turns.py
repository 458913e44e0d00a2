"""Answers, and leaves."""

import sys

from honest import Message, line, play, shots, write


def leave(message: Message) -> None:
    write(line(shots(message)))
    sys.exit(0)


play(shoot=leave)

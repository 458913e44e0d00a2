"""Writes to stderr for ever."""

import sys

from honest import Message, play, third


def rant(_: Message) -> None:
    while True:
        sys.stderr.write("never mind " * 1000)


play(shoot=third(rant))

"""Leaves in the same moment in which it places its fleet."""

import os

from honest import Message, layout, line, play, write


def leave(message: Message) -> None:
    write(line(layout(message)))
    os._exit(7)


play(place=leave)

"""Sends bytes for ever and no end of a line."""

from honest import Message, play, write


def rant(_: Message) -> None:
    while True:
        write(b"x" * 4096)


play(place=rant)

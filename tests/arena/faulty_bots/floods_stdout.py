"""Sends lines for ever."""

from honest import Message, play, write


def rant(_: Message) -> None:
    while True:
        write(b"{}\n" * 1000)


play(place=rant)

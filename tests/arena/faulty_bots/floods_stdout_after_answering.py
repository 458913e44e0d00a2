"""Answers, and then sends lines for ever."""

from honest import Message, layout, line, play, write


def rant(message: Message) -> None:
    write(line(layout(message)))
    while True:
        write(b"{}\n" * 1000)


play(place=rant)

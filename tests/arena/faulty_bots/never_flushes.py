"""Keeps its answers in a buffer, as most languages do with a pipe."""

from honest import Message, hello, line, play


def mutter(message: Message) -> None:
    print(line(hello(message)).decode(), end="")  # noqa: T201


play(hello=mutter)

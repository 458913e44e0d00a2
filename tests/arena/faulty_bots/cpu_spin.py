"""Computes for ever."""

from honest import Message, play, third


def spin(_: Message) -> None:
    while True:
        pass


play(shoot=third(spin))

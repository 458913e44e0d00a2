"""Sends right answers after as many blanks as a line has room for."""

from honest import Message, line, play, shots


def pad(message: Message) -> bytes:
    text = line(shots(message))
    return b" " * (65_536 - len(text)) + text


play(shoot=pad)

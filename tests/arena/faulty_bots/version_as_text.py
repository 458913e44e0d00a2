"""Gives the version of the protocol as a string."""

from honest import hello, play

play(hello=lambda m: {**hello(m), "protocol": "1"})

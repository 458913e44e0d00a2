"""Speaks a protocol that the arena does not."""

from honest import hello, play

play(hello=lambda m: {**hello(m), "protocol": 2})

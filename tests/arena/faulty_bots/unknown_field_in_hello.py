"""Introduces itself with a field that is not there."""

from honest import hello, play

play(hello=lambda m: {**hello(m), "elo": 3000})

"""Says that it does not play these rules, and takes part."""

from honest import hello, play

play(hello=lambda m: {**hello(m), "plays": False})

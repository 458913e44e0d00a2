"""Has a name of more than 200 characters."""

from honest import hello, play

play(hello=lambda m: {**hello(m), "name": "x" * 201})

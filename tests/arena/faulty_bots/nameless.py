"""Introduces itself without a name."""

from honest import play

play(hello=lambda _: {"type": "hello", "protocol": 1})

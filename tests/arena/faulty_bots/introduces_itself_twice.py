"""Answers hello by two introductions."""

from honest import hello, line, play

play(hello=lambda m: line(hello(m)) * 2)

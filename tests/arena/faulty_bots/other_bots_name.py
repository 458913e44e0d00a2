"""Introduces itself by the name of its opponent; no table uses it."""

from honest import hello, play

play(hello=lambda m: {**hello(m), "name": "honest", "author": "the author of honest"})

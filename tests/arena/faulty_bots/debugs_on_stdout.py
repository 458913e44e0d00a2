"""Prints what it thinks to stdout."""

from honest import line, play, shots

play(shoot=lambda m: b"thinking...\n" + line(shots(m)))

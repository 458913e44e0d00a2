"""Sends two messages on one line."""

from honest import line, play, shots

play(shoot=lambda m: line(shots(m))[:-1] * 2 + b"\n")

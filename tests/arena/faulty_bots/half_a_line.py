"""Sends the first half of an answer."""

from honest import line, play, shots

play(shoot=lambda m: line(shots(m))[:20])

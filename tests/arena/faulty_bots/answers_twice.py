"""Answers one request by two lines."""

from honest import line, play, shots

play(shoot=lambda m: line(shots(m)) * 2)

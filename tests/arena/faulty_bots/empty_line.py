"""Sends an empty line before its answer."""

from honest import line, play, shots

play(shoot=lambda m: b"\n" + line(shots(m)))

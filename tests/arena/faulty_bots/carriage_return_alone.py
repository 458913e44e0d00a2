"""Ends its lines by a carriage return alone."""

from honest import line, play, shots

play(shoot=lambda m: line(shots(m)).replace(b"\n", b"\r"))

"""Ends its lines as Windows does, which is accepted."""

from honest import line, play, shots

play(shoot=lambda m: line(shots(m)).replace(b"\n", b"\r\n"))

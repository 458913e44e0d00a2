"""Ends its text with a NUL, as C does."""

from honest import layout, line, play

play(place=lambda m: line(layout(m)).replace(b"\n", b"\0\n"))

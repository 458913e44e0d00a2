"""Sends a right answer after more blanks than a line has room for."""

from honest import layout, line, play

play(place=lambda m: b" " * 65_536 + line(layout(m)))

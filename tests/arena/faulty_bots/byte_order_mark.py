"""Begins its lines with a byte order mark."""

from honest import layout, line, play

play(place=lambda m: b"\xef\xbb\xbf" + line(layout(m)))

"""Sends bytes that are not UTF-8."""

from honest import layout, line, play

play(place=lambda m: line(layout(m)).replace(b"Boat", b"Bo\xff\xfet"))

"""Writes UTF-16."""

from honest import layout, line, play

play(place=lambda m: line(layout(m)).decode().encode("utf-16-le"))

"""Sends an answer without the end of its line."""

from honest import layout, line, play

play(place=lambda m: line(layout(m))[:-1])

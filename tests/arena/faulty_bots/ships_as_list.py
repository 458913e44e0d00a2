"""Gives its layout as a list."""

from honest import layout, play

play(place=lambda m: {**layout(m), "ships": [[0, 1, 2], [10, 11]]})

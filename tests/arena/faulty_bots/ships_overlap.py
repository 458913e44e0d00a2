"""Lays two ships over one cell."""

from honest import layout, play

play(place=lambda m: {**layout(m), "ships": {"Cruiser": [0, 1, 2], "Boat": [2, 7]}})

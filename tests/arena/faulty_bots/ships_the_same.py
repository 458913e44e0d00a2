"""Lays two ships at the same place."""

from honest import layout, play

play(place=lambda m: {**layout(m), "ships": {"Cruiser": [0, 1, 2], "Boat": [0, 1]}})

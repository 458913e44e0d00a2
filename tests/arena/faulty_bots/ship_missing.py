"""Leaves out a ship."""

from honest import layout, play

play(place=lambda m: {**layout(m), "ships": {"Cruiser": [0, 1, 2]}})

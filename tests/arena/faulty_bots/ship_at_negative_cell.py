"""Lays a ship before the first cell."""

from honest import layout, play

play(place=lambda m: {**layout(m), "ships": {"Cruiser": [-1, 0, 1], "Boat": [5, 6]}})

"""Lays a ship along a diagonal."""

from honest import layout, play

play(place=lambda m: {**layout(m), "ships": {"Cruiser": [0, 6, 12], "Boat": [20, 21]}})

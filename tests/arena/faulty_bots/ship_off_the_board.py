"""Lays a ship over the edge of the board."""

from honest import layout, play

play(place=lambda m: {**layout(m), "ships": {"Cruiser": [23, 24, 25], "Boat": [0, 1]}})

"""Lays all of a ship on one cell."""

from honest import layout, play

play(place=lambda m: {**layout(m), "ships": {"Cruiser": [0, 0, 0], "Boat": [10, 11]}})

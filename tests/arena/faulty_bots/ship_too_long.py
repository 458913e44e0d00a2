"""Lays a ship that is too long."""

from honest import layout, play

play(place=lambda m: {**layout(m), "ships": {"Cruiser": [0, 1, 2, 3], "Boat": [10, 11]}})

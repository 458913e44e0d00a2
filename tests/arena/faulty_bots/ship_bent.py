"""Lays a ship round a corner."""

from honest import layout, play

play(place=lambda m: {**layout(m), "ships": {"Cruiser": [0, 1, 6], "Boat": [10, 11]}})

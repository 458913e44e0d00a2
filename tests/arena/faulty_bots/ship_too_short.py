"""Lays a ship that is too short."""

from honest import layout, play

play(place=lambda m: {**layout(m), "ships": {"Cruiser": [0, 1], "Boat": [10, 11]}})

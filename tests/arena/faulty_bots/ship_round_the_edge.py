"""Lays a ship from the end of one row to the beginning of the next."""

from honest import layout, play

play(place=lambda m: {**layout(m), "ships": {"Cruiser": [3, 4, 5], "Boat": [10, 11]}})

"""Lays a ship with a gap."""

from honest import layout, play

play(place=lambda m: {**layout(m), "ships": {"Cruiser": [0, 1, 3], "Boat": [10, 11]}})

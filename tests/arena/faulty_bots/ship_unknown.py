"""Adds a ship of its own."""

from honest import layout, play

play(place=lambda m: {**layout(m), "ships": {"Cruiser": [0, 1, 2], "Boat": [10, 11], "Raft": [20]}})

"""Gets the name of a ship wrong."""

from honest import layout, play

play(place=lambda m: {**layout(m), "ships": {"cruiser": [0, 1, 2], "Boat": [10, 11]}})

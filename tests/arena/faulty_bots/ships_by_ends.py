"""Gives the two ends of each ship."""

from honest import layout, play

play(
    place=lambda m: {
        **layout(m),
        "ships": {"Cruiser": {"from": 0, "to": 2}, "Boat": {"from": 10, "to": 11}},
    }
)

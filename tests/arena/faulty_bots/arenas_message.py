"""Sends a message that only the arena may: the end, and that it has won."""

from honest import play

play(
    shoot=lambda _: {
        "type": "end",
        "result": "won",
        "termination": "sunk",
        "reason": "I say so",
        "report": None,
        "incoming": [],
        "opponent_layout": None,
    },
)

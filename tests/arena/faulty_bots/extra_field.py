"""Sends a field that is not there."""

from honest import play, shots

play(shoot=lambda m: {**shots(m), "comment": "take that"})

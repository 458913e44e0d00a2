"""Sends a type of message that does not exist."""

from honest import play, shots

play(shoot=lambda m: {**shots(m), "type": "surrender"})

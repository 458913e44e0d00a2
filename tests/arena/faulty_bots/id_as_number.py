"""Sends the id as a number."""

from honest import play, shots

play(shoot=lambda m: {**shots(m), "id": 17})

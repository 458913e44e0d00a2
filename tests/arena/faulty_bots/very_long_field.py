"""Sends an unknown field with a name of 60,000 characters."""

from honest import play, shots

play(shoot=lambda m: {**shots(m), "x" * 60_000: 1})

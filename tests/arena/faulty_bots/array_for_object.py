"""Sends a list where an object is due."""

from honest import play, shots

play(shoot=lambda m: [shots(m)])

"""Sends an id of a thousand characters."""

from honest import play, shots

play(shoot=lambda m: {**shots(m), "id": m["id"] * 63})

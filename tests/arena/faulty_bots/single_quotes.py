"""Prints a dict as Python shows it."""

from honest import play, shots

play(shoot=lambda m: f"{shots(m)}\n".encode())

"""Fails by an exception in the middle of a game."""

from honest import play, third

play(shoot=third(lambda _: 1 / 0))

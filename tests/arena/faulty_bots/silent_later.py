"""Falls silent in the middle of a game."""

from honest import play, third

play(shoot=third(lambda _: None))

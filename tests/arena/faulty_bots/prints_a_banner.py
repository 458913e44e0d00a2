"""Greets the user on stdout."""

from honest import play

print("Welcome to Battleship!", flush=True)  # noqa: T201
play()

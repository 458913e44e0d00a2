"""Sends the next answer ahead, with a guess at its id."""

from honest import Message, line, play, shots


def hurry(message: Message) -> bytes:
    ahead = {"type": "shots", "id": "0" * 16, "cells": [20, 21]}
    return line(shots(message)) + line(ahead)


play(shoot=hurry)

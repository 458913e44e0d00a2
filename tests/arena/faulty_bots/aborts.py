"""Ends as a failed assertion in C does."""

import os

from honest import play, third

play(shoot=third(lambda _: os.abort()))

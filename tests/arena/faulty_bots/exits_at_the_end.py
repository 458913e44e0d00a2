"""Leaves when the game is over, although more may follow."""

import sys

from honest import play

play(end=lambda _: sys.exit(0))

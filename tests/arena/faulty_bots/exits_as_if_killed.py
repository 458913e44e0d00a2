"""Exits with the code by which a box reports that its bot was killed from outside."""

import os

from honest import play, third

play(shoot=third(lambda _: os._exit(137)))

"""Reads where there is no memory."""

import ctypes

from honest import play, third

play(shoot=third(lambda _: ctypes.string_at(0)))

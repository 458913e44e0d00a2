"""Write into the own environment that the arena is gone, and have another arena end this bot."""

import ctypes
import sys

from hostile import libc

variables = ctypes.POINTER(ctypes.c_void_p).in_dll(libc, "environ")
for place in variables:
    text = ctypes.string_at(place)
    if text.startswith(b"SALVO_BOX="):
        # Process ids are reused: an arena of this one that began at another time is another.
        head, began, bot = text.rsplit(b"-", 2)
        forged = b"-".join([head, b"7" * len(began), bot])
        ctypes.memmove(place, forged, len(forged))
        print("START ANOTHER ARENA", flush=True)  # noqa: T201
        sys.stdin.read()
        break

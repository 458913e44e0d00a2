"""Connect to a socket of the arena's without a path."""

import socket

from hostile import targets

with socket.socket(socket.AF_UNIX) as talker:
    talker.connect("\0" + targets["abstract"])
    talker.send(targets["token"].encode())

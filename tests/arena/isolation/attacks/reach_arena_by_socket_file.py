"""Connect to a socket of the arena's by its path."""

import socket

from hostile import targets

with socket.socket(socket.AF_UNIX) as talker:
    talker.connect(targets["socket_file"])
    talker.send(targets["token"].encode())

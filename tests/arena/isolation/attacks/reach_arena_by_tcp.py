"""Connect to a port of the arena's."""

import socket

from hostile import targets

with socket.create_connection(("127.0.0.1", targets["tcp"]), 1) as talker:
    talker.send(targets["token"].encode())

"""Open a port for others to connect to."""

import socket

from hostile import reached

with socket.create_server(("127.0.0.1", 0)):
    reached("listening")

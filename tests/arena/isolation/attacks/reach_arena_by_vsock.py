"""Connect to the arena by vsock."""

import socket

from hostile import targets

with socket.socket(40, socket.SOCK_STREAM) as talker:
    talker.settimeout(1)
    talker.connect((1, targets["vsock"]))
    talker.send(targets["token"].encode())

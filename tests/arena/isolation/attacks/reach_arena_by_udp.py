"""Send a datagram to the arena."""

import socket

from hostile import targets

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as talker:
    talker.sendto(targets["token"].encode(), ("127.0.0.1", targets["udp"]))

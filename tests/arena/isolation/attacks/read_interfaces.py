"""Learn the network's addresses from the kernel."""

import socket
import struct

from hostile import reached

with socket.socket(16, socket.SOCK_RAW) as talker:
    talker.settimeout(1)
    talker.send(struct.pack("=IHHIIB3x", 20, 22, 0x301, 1, 0, 0))
    found = talker.recv(65536)
if len(found) > 64:
    reached(f"{len(found)} bytes")

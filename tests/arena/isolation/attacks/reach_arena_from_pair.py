"""Send to a socket of the arena's from half of a connected pair."""

import socket

from hostile import targets

talker, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
talker.sendto(targets["token"].encode(), targets["datagram_file"])

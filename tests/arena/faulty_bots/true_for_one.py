"""Sends true for a cell."""

from honest import play

play(
    shoot=lambda m: b'{"type":"shots","id":"%s","cells":[true,2]}\n' % m["id"].encode(),
)

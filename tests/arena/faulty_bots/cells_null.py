"""Sends null where cells are due."""

from honest import play

play(
    shoot=lambda m: b'{"type":"shots","id":"%s","cells":null}\n' % m["id"].encode(),
)

"""Sends Infinity for a cell."""

from honest import play

play(
    shoot=lambda m: b'{"type":"shots","id":"%s","cells":[Infinity,1]}\n' % m["id"].encode(),
)

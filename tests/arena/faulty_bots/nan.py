"""Sends NaN for a cell."""

from honest import play

play(
    shoot=lambda m: b'{"type":"shots","id":"%s","cells":[NaN,1]}\n' % m["id"].encode(),
)

"""Sends a number that no float holds."""

from honest import play

play(
    shoot=lambda m: b'{"type":"shots","id":"%s","cells":[1e999,1]}\n' % m["id"].encode(),
)

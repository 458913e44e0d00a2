"""Sends a number with a zero before it."""

from honest import play

play(
    shoot=lambda m: b'{"type":"shots","id":"%s","cells":[01,2]}\n' % m["id"].encode(),
)

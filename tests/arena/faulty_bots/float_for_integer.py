"""Sends a whole number as a float."""

from honest import play

play(
    shoot=lambda m: b'{"type":"shots","id":"%s","cells":[1.0,2]}\n' % m["id"].encode(),
)

"""Sends a cell as a string."""

from honest import play

play(
    shoot=lambda m: b'{"type":"shots","id":"%s","cells":["1",2]}\n' % m["id"].encode(),
)

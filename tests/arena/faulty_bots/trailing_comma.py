"""Sends a comma too many."""

from honest import play

play(
    shoot=lambda m: b'{"type":"shots","id":"%s","cells":[0,1,]}\n' % m["id"].encode(),
)

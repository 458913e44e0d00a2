"""Sends one key twice, with two values."""

from honest import play

play(
    shoot=lambda m: b'{"type":"shots","id":"%s","cells":[0,1],"cells":[2,3]}\n' % m["id"].encode(),
)

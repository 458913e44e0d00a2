"""Sends an integer that not every language reads exactly."""

from honest import play

play(
    shoot=lambda m: b'{"type":"shots","id":"%s","cells":[9007199254740993,1]}\n' % m["id"].encode(),
)

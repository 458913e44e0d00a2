"""Sends an integer of 5000 digits."""

from honest import play

play(
    shoot=lambda m: b'{"type":"shots","id":"%s","cells":[1%s]}\n' % (m["id"].encode(), b"0" * 5000),
)

"""Sends brackets in brackets, as many as a line has room for."""

from honest import play

play(
    shoot=lambda m: b'{"type":"shots","id":"%s","cells":%s}\n' % (m["id"].encode(), b"[" * 60_000),
)

"""Sends each cell as row and column."""

from honest import play

play(
    shoot=lambda m: b'{"type":"shots","id":"%s","cells":[[0,1],[0,2]]}\n' % m["id"].encode(),
)

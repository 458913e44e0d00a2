"""Takes 60 MB of memory, 10 MB a turn, by a file that is only there."""

import os

from honest import Message, play, shots


def take(message: Message) -> Message:
    if not held:
        held.append(os.memfd_create("held"))
    if os.fstat(held[0]).st_size < 60_000_000:
        for _ in range(10):
            os.write(held[0], b"x" * 1_000_000)
    return shots(message)


held: list[int] = []
play(shoot=take)

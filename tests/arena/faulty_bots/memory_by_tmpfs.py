"""Takes 60 MB of memory, 10 MB a turn, by a file in a folder that is memory."""

import tempfile
from typing import IO

from honest import Message, play, shots


def take(message: Message) -> Message:
    if not held:
        held.append(tempfile.TemporaryFile(dir="/dev/shm"))  # noqa: SIM115 - the fault
    if held[0].tell() < 60_000_000:
        for _ in range(10):
            held[0].write(b"x" * 1_000_000)
    return shots(message)


held: list[IO[bytes]] = []
play(shoot=take)

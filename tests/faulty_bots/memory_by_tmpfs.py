"""Takes 300 MB of memory by a file in a folder that is memory."""

import tempfile
from typing import IO

from honest import Message, play, shots


def take(message: Message) -> Message:
    if not held:
        held.append(tempfile.TemporaryFile(dir="/dev/shm"))  # noqa: SIM115 - the fault
        for _ in range(300):
            held[0].write(b"x" * 1_000_000)
    return shots(message)


held: list[IO[bytes]] = []
play(shoot=take)

"""Takes 300 MB of memory."""

from honest import Message, play, shots


def take(message: Message) -> Message:
    if not held:
        held.append(b"x" * 300_000_000)
    return shots(message)


held: list[bytes] = []
play(shoot=take)

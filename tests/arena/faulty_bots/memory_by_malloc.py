"""Takes 300 MB of memory, 50 MB a turn."""

from honest import Message, play, shots


def take(message: Message) -> Message:
    if len(held) < 6:
        held.append(b"x" * 50_000_000)
    return shots(message)


held: list[bytes] = []
play(shoot=take)

"""Takes 300 MB of memory, 50 MB a turn, which costs no time: it does not write to it."""

from honest import Message, play, shots


def take(message: Message) -> Message:
    if len(held) < 6:
        held.append(bytes(50_000_000))
    return shots(message)


held: list[bytes] = []
play(shoot=take)

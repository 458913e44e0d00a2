"""Answers every request with the id of the first."""

from honest import Message, play, shots

ids: list[str] = []


def repeat(message: Message) -> Message:
    ids.append(message["id"])
    return {**shots(message), "id": ids[0]}


play(shoot=repeat)

"""Starts twenty threads that compute, and says no more."""

import threading

from honest import Message, play, third

threading.stack_size(262_144)


def spin() -> None:
    while True:
        pass


def bomb(_: Message) -> None:
    for _ in range(20):
        threading.Thread(target=spin, daemon=True).start()
    spin()


play(shoot=third(bomb))

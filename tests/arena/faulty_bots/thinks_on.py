"""Answers, and goes on computing in a thread; it is stopped while it is not to move."""

import threading

from honest import play


def compute() -> None:
    while True:
        pass


threading.Thread(target=compute, daemon=True).start()
play()

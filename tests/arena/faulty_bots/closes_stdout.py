"""Closes its output and lives on."""

import os
import time

from honest import Message, play


def mute(_: Message) -> None:
    os.close(1)
    time.sleep(60)


play(place=mute)

"""Closes its input and lives on."""

import os
import time

from honest import Message, layout, line, play, write


def deafen(message: Message) -> None:
    os.close(0)
    write(line(layout(message)))
    time.sleep(60)


play(place=deafen)

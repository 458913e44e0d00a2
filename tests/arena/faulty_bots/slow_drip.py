"""Sends its answer byte by byte, too slowly."""

import time

from honest import Message, layout, line, play, write


def drip(message: Message) -> None:
    for byte in line(layout(message)):
        write(bytes([byte]))
        time.sleep(0.05)


play(place=drip)

"""Fails with last words that would move the cursor of a terminal."""

import sys

from honest import Message, play


def fail(_: Message) -> None:
    sys.stderr.write("\x1b[2J\x07\N{RIGHT-TO-LEFT OVERRIDE}gone")
    sys.exit(1)


play(place=fail)

"""Has what moves the cursor of a terminal in its name."""

from honest import hello, play

play(hello=lambda m: {**hello(m), "name": "\x1b[2J\x07\r\n"})

"""Never introduces itself."""

from honest import play

play(hello=lambda _: None)

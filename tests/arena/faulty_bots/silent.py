"""Never places its fleet."""

from honest import play

play(place=lambda _: None)

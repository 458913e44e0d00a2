"""Names a ship by half of a surrogate pair."""

from honest import layout, line, play

play(place=lambda m: line(layout(m)).replace(b"Boat", b"\\ud800"))

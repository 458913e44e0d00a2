"""Places no ship."""

from honest import layout, play

play(place=lambda m: {**layout(m), "ships": {}})

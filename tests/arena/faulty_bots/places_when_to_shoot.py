"""Places its fleet again where shots are due."""

from honest import layout, play

play(shoot=layout)

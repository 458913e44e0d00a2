"""A person as a player: asked in words, at a terminal that is handed in.

Nothing here prints or reads by itself: whoever runs a person gives it a ``Terminal``.
"""

from arena.player.person.chart import Chart, Mark
from arena.player.person.dialogue import Terminal
from arena.player.person.person import Person

__all__ = ["Chart", "Mark", "Person", "Terminal"]

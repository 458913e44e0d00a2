"""Asks a person for moves in words.

Nothing here reads or prints by itself: the caller passes in a ``Terminal``.
"""

from arena.player.person.chart import Chart, Mark
from arena.player.person.dialogue import Terminal
from arena.player.person.person import Person
from arena.player.person.sight import Sight

"""Lets bots, which are programs, play Battleship and writes down every game.

The author of a bot needs ``Bot`` and ``run``, and ``End`` to say what ``Bot.game_ends`` is given;
importing them brings in neither numpy nor pandas.
"""

from arena import light_msgspec  # noqa: F401 - before any other module imports msgspec
from arena.bot import Bot, run
from arena.protocol import End

__all__ = ["Bot", "End", "run"]

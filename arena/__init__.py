"""Lets bots, which are programs, play Battleship and writes down every game.

The author of a bot needs ``Bot`` and ``run``, ``End`` to say what ``Bot.game_ends`` is given, and
``Unavailable`` where the bot asks somebody outside;
importing them brings in neither numpy nor pandas.
"""

from arena import light_msgspec  # noqa: F401 - before any other module imports msgspec
from arena.bot import Bot, Unavailable, run
from arena.protocol import End

__all__ = ["Bot", "End", "Unavailable", "run"]

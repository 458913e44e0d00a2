"""A bot's own fleet where ships move."""

from collections.abc import Sequence

from arena import Bot
from arena.rules import Waters, cells_of, legal_moves, mask_of

__all__ = ["OwnFleet"]


class OwnFleet:
    """Which of a bot's own ships were hit, and where the others may go; make one for each game."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._seen = self._hit = self._sunk = 0

    def moves(self) -> list[tuple[str, Sequence[int]]]:
        """Return every legal move in the form that ``Bot.move_ship`` returns.

        To be called in every ``move_ship``: a ship stays where it is until the bot moves it, so all
        salvos since the previous request to move were fired at the present layout.
        """
        bot = self._bot
        fleet = bot.rules.fleet
        ships = tuple(mask_of(bot.layout[ship.name]) for ship in fleet)
        for cell in (cell for salvo in bot.incoming[self._seen :] for cell in salvo):
            for number, ship in enumerate(ships):
                if ship >> cell & 1 and not self._sunk >> number & 1:
                    self._hit |= 1 << cell
                    if not ship & ~self._hit:
                        self._sunk |= 1 << number
                        self._hit &= ~ship
        self._seen = len(bot.incoming)
        waters = Waters(ships, 0, 0, self._hit, self._sunk)
        return [
            (fleet[number].name, cells_of(mask)) for number, mask in legal_moves(bot.rules, waters)
        ]

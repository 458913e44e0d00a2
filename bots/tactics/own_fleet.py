"""Moves a bot's own ships where ships move."""

import math
from collections.abc import Mapping, Sequence

from arena import Bot
from arena.rules import Waters, cells_of, legal_moves, mask_of

__all__ = ["OwnFleet"]

FORGETS = 0.98  # how much an opponent is taken to remember of a cell one salvo later
AIMLESS = 0.5  # how often a ship moves where no move hides one better


class OwnFleet:
    """Tracks which of a bot's own ships were hit; make one for each game."""

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

    def hiding_move(self) -> tuple[str, Sequence[int]] | None:
        """Return the move that hides a ship best: onto cells that the opponent shot lately.

        A ship is suspected on some cells as far as none of them is remembered as a miss. Where no
        move takes suspicion from a ship, it is any that adds none, or half the time none.
        """
        bot = self._bot
        moves = self.moves()
        suspicion: dict[int, float] = {}
        for age, salvo in enumerate(reversed(bot.incoming)):
            for cell in salvo:
                suspicion.setdefault(cell, 1 - FORGETS**age)
        gains = [
            _suspected(suspicion, bot.layout[name]) - _suspected(suspicion, cells)
            for name, cells in moves
        ]
        most = max(gains, default=-1.0)
        if most < 0 or (most == 0 and bot.random.random() >= AIMLESS):
            return None
        best = [move for move, gain in zip(moves, gains, strict=True) if gain == most]
        return bot.random.choice(best)


def _suspected(suspicion: Mapping[int, float], cells: Sequence[int]) -> float:
    return math.prod(suspicion.get(cell, 1.0) for cell in cells)

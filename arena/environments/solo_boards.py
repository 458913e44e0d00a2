"""Plays thousands of solo games side by side as numpy arrays, a second way to apply the rules.

It is held to ``arena.rules`` move for move by the tests. A step takes one cell for every board; a
salvo is complete when all its cells are chosen, and only then reported.
"""

import numpy as np
from numpy.typing import NDArray

from arena.environments import sight
from arena.environments.layout_batches import Drawing
from arena.errors import IllegalActionError
from arena.rules import Rules

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]


class SoloBoards:
    """Solo games, each with a layout of its own.

    Attributes:
        seen: What is known of each cell, B x cells, of UNTRIED, CHOSEN, MISS, HIT and SANK.
        untried: 1 for each cell that may be chosen, else 0, B x cells.
        sunk: What was reported sunk, B x what ``Sight.sunk`` has.
        ships: Which ship lies on each cell, its number in the fleet or -1, B x cells: hidden from
            a player.
        turns: The turns begun in each game, B.

    Raises:
        RulesError: If a board cannot show what the rules report.
    """

    def __init__(self, rules: Rules | str, number: int, random: np.random.Generator) -> None:
        self.rules = sight.rules_to_learn(rules)
        self.number = number
        self._drawing = Drawing(self.rules, random)
        self._shots = min(self.rules.full_salvo, self.rules.cells)
        self._every = np.arange(number)
        cells, ships = self.rules.cells, len(self.rules.fleet)
        self.seen: sight.Cells = np.zeros((number, cells), dtype=np.int8)
        self.untried: sight.Cells = np.ones((number, cells), dtype=np.int8)
        self.sunk: sight.Cells = np.zeros((number, sight.reported_sunk(self.rules)), dtype=np.int8)
        self.ships: sight.Cells = np.full((number, cells), -1, dtype=np.int8)
        self.turns: Numbers = np.zeros(number, dtype=np.int64)
        # A ship's cells that are not hit; the last column is that of water, which is never sunk.
        self._left = np.zeros((number, ships + 1), dtype=np.int16)
        self._afloat = np.zeros(number, dtype=np.int16)
        self._due = np.zeros(number, dtype=np.int64)
        self._chosen = np.zeros((number, self._shots), dtype=np.int64)
        self._count = np.zeros(number, dtype=np.int64)
        lengths = [ship.length for ship in self.rules.fleet]
        self._lengths = np.array([*lengths, np.iinfo(np.int16).max], dtype=np.int16)
        self.begin(self._every)

    def begin(self, which: Numbers, ships: sight.Cells | None = None) -> None:
        """Begin the games ``which`` anew.

        Their layouts are given as in ``ships``, or drawn if None.
        """
        self.ships[which] = self._drawing.draw(len(which)) if ships is None else ships
        self.seen[which] = sight.UNTRIED
        self.untried[which] = 1
        self.sunk[which] = 0
        self.turns[which] = 1
        self._left[which] = self._lengths
        self._afloat[which] = len(self.rules.fleet)
        self._count[which] = 0
        self._due[which] = self._shots

    def draw_from(self, random: np.random.Generator) -> None:
        """Draw the layouts to come from another generator."""
        self._drawing.random = random

    def keep(self, which: Flags) -> None:
        """Go on with some of the games alone, in the order that they have."""
        for name, of_each_game in vars(self).items():
            if isinstance(of_each_game, np.ndarray) and name != "_lengths":
                setattr(self, name, of_each_game[which])
        self.number = len(self.turns)
        self._every = np.arange(self.number)

    @property
    def shots_left(self) -> Numbers:
        """Return how many cells of its salvo each game still has to choose."""
        return self._due - self._count

    def choose(self, cells: Numbers, which: Flags | None = None) -> tuple[Flags, Flags]:
        """Choose one cell in each game, or in those of ``which`` alone.

        Return which games have completed a salvo, and which are over by it: ``begin`` them before
        they choose again.

        Raises:
            IllegalActionError: If a cell was chosen before or is none of the board.
        """
        games = self._every if which is None else np.flatnonzero(which)
        chosen = cells[games]
        inside = (chosen >= 0) & (chosen < self.rules.cells)
        if not inside.all() or not self.untried[games, chosen].all():
            legal = inside & (self.untried[games, np.where(inside, chosen, 0)] == 1)
            game = int(games[~legal][0])
            raise IllegalActionError(
                f"game {game}: cell {cells[game]} is no untried cell of the board"
            )
        self.untried[games, chosen] = 0
        if self._shots == 1:
            fired = np.ones(self.number, dtype=np.bool_) if which is None else which.copy()
            self._strike(games, chosen[:, None])
        else:
            self.seen[games, chosen] = sight.CHOSEN
            self._chosen[games, self._count[games]] = chosen
            self._count[games] += 1
            fired = self._count == self._due
            if which is not None:
                fired &= which
            for count in np.unique(self._due[fired]):
                games = np.flatnonzero(fired & (self._due == count))
                self._strike(games, self._chosen[games, :count])
        over = fired & (self._afloat == 0)
        going = fired & ~over
        self.turns += going
        if self._shots > 1:
            left = self.untried.sum(axis=1, where=going[:, None], dtype=np.int64)
            self._due = np.where(going, np.minimum(self._shots, left), self._due)
            self._count[going] = 0
        return fired, over

    def _strike(self, games: Numbers, cells: Numbers) -> None:
        struck = self.ships[games[:, None], cells]
        hits = struck >= 0
        sinks = np.zeros(len(games), dtype=np.bool_)
        # One shot after another, since two of a salvo may hit the same ship.
        for shot in range(cells.shape[1]):
            ship = struck[:, shot]
            left = self._left[games, ship] - hits[:, shot]
            self._left[games, ship] = left
            sunk = left == 0
            if sunk.any():
                self._sink(games[sunk], ship[sunk])
                sinks |= sunk
        report = np.where(hits, sight.HIT, sight.MISS).astype(np.int8)
        if self.sunk.shape[1] and sinks.any():
            report[hits & sinks[:, None]] = sight.SANK
        self.seen[games[:, None], cells] = report

    def _sink(self, games: Numbers, ships: sight.Cells) -> None:
        self._afloat[games] -= 1
        if self.rules.sinkings == "named":
            self.sunk[games, ships] = 1
        elif self.rules.sinkings == "unnamed":
            self.sunk[games, 0] += 1

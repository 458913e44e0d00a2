"""A bot's belief about one opponent's sea, from the first salvo of a game to the last."""

from collections.abc import Sequence
from random import Random

import numpy as np

from arena import Bot
from arena.rules import RulesView
from bots.tactics.posterior.board import MAX_CELLS, Floats, board_of
from bots.tactics.posterior.estimate import Effort, Posterior, count_roughly, estimate
from bots.tactics.posterior.evidence import Observation, Reader
from bots.tactics.posterior.explanations import FREE, Explanations, ImpossibleEvidenceError
from bots.tactics.posterior.opening import look_up

__all__ = ["Belief", "can_follow", "highest"]

TRIES = 4
"""How often the explanations are gone through anew, twice as many each time."""


def can_follow(rules: RulesView) -> bool:
    """Tell whether a belief can be kept in a game.

    The fleet is known, the board not huge, each cell is told truly, and ships stay where they are.
    """
    return (
        rules.opponent_fleet is not None
        and rules.cells <= MAX_CELLS
        and rules.told == "cells"
        and not rules.lies
        and not rules.moves
    )


def highest(
    cells: Floats, untried: Sequence[int], count: int, random: Random | None = None
) -> list[int]:
    """Return the untried cells with the highest values.

    Args:
        cells: A value for each cell.
        untried: The cells to choose from.
        count: How many.
        random: Breaks ties; without it the lowest cell comes first.
    """
    # Values that differ by less than rounding are equal.
    values = cells[untried].round(9)
    order = np.arange(len(untried))
    if random and count == 1:
        best = np.flatnonzero(values == values.max()).tolist()
        return [untried[random.choice(best)]]
    if random:
        order = np.array(random.sample(range(len(untried)), len(untried)))
    ranked = order[np.argsort(-values[order], kind="stable")]
    return [untried[place] for place in ranked[:count].tolist()]


HIT_WEIGHT = 5.0
"""How many times more a placement counts for each open hit that it covers."""


class Belief:
    """Follows one game; make one a game.

    Attributes:
        board: The placements.
        known: The explanations of the hits so far.
        random: What samples are drawn with; it has the game's seed.
        evidence: What was told so far.
    """

    def __init__(self, bot: Bot, effort: Effort | None = None) -> None:
        fleet = bot.rules.opponent_fleet
        assert fleet is not None, "a belief needs a fleet that is known"
        self._lengths = tuple(sorted((ship.length for ship in fleet), reverse=True))
        self.board = board_of(bot.rules.rows, bot.rules.columns, self._lengths, bot.rules.touching)
        self._effort = effort or Effort()
        self._reader = Reader()
        self._bot = bot
        self.random = np.random.default_rng(bot.random.getrandbits(64))
        self.evidence: list[Observation] = []
        self.known = Explanations(self.board, self._lengths, self.random)

    def read(self) -> None:
        """Read what is new in the bot's book; call it once in every ``choose_shots``."""
        news = self._reader.read(self._bot)
        self.evidence += news
        try:
            for told in news:
                self.known.observe(told)
        except ImpossibleEvidenceError:
            self.known = self._again()

    def cells(self) -> Floats:
        """Return the probability that a ship lies on each cell.

        In the opening it comes from the table. If no layout is found that agrees with all that
        was told, it is the density of the placements instead.
        """
        if not self._bot.hits:
            known = look_up(self.board, self._lengths, self._bot.shot)
            if known is not None:
                return known
        try:
            return self.posterior().cells
        except ImpossibleEvidenceError:
            return self.density()

    def certain(self) -> list[int]:
        """Return the untried cells that hit in every explanation; they need no counting."""
        if not self._bot.hits:
            return []
        sure = self.known.untried & self.known.covered.all(axis=0)
        return [int(cell) for cell in np.flatnonzero(sure)]

    def posterior(self) -> Posterior:
        """Return the posterior of this moment.

        Raises:
            ImpossibleEvidenceError: If no layout agrees with what was told, or none was found.
        """
        try:
            return estimate(self.known, self.random, self._effort)
        except ImpossibleEvidenceError:
            self.known = self._again()
            return estimate(self.known, self.random, self._effort)

    def most_layouts(self) -> float:
        """Return a bound on how many layouts are left: ships that were not hit may overlap."""
        return count_roughly(self.known)

    def hit_is_open(self) -> bool:
        """Return whether a ship afloat may have been hit."""
        known = self.known
        return bool(((known.places != FREE) & (known.sunk_at == FREE)).any())

    def density(self) -> Floats:
        """Return how many placements of the ships afloat cover each cell, as if each were alone.

        A placement counts ``HIT_WEIGHT`` times for each hit it covers that may be of a ship
        afloat.
        """
        board = self.board
        hits = np.zeros(board.cells, bool)
        hits[self._bot.hits] = True
        closed = np.zeros(board.cells, bool)
        closed[self._bot.shot] = True
        closed = closed & ~hits | self.known.sunk_cells()
        cells = np.zeros(board.cells)
        for ship in self._bot.afloat:
            covers = board.covers[ship.length]
            free = covers[~(covers & closed).any(axis=1)]
            cells += HIT_WEIGHT ** (free & hits).sum(axis=1) @ free
        return cells

    def _again(self) -> Explanations:
        """Go through all evidence anew: a sample may have lost what was right."""
        limit = Explanations(self.board, self._lengths, self.random).limit
        for _ in range(TRIES):
            limit *= 2
            known = Explanations(self.board, self._lengths, self.random, limit)
            try:
                for told in self.evidence:
                    known.observe(told)
                estimate(known, self.random, self._effort)
            except ImpossibleEvidenceError:
                if known.exact:
                    raise
            else:
                return known
        raise ImpossibleEvidenceError("no layout was found that agrees with what was told")

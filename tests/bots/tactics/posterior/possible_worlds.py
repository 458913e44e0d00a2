"""The posterior of small games by any rules: every possible world, one by one.

A world says where each ship lies, which of its cells were hit, and how often the opponent has lied.
That covers what explanations of hits cannot: salvos of which only the number of hits is reported,
unknown fleets, ships that move, and answers that may be lies.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from arena.rules import barred, cells_of, mask_of, placements
from bots.tactics.posterior.board_placements import Floats, Touching
from bots.tactics.posterior.explanations import ImpossibleEvidenceError

MAX_WORLDS = 200_000
"""More worlds are too many to go through one by one."""


class Answer(NamedTuple):
    """The answer to one salvo.

    Attributes:
        cells: The cells that were shot.
        hits: Those of them that hit, or only how many did.
        sunk: The lengths of the ships sunk, how many, or None where sinkings are silent.
    """

    cells: tuple[int, ...]
    hits: tuple[int, ...] | int
    sunk: tuple[int, ...] | int | None


class Lying(NamedTuple):
    """How the opponent may lie about cells, never about those of a ship that the salvo sank.

    Attributes:
        budget: How often in a game.
        weight: How likely one particular lie is, where allowed, relative to the truth.
    """

    budget: int = 0
    weight: float = 1.0


TRUTH = Lying()


class World(NamedTuple):
    """One possible state: of each ship its mask and the mask of its hits, and the lies."""

    ships: tuple[tuple[int, int], ...]
    lies: int


class Worlds:
    """All worlds that agree with the answers so far, with their probabilities.

    Attributes:
        weights: The weight of each world.
    """

    def __init__(
        self,
        rows: int,
        columns: int,
        fleets: Mapping[tuple[int, ...], float],
        touching: Touching = "allowed",
        lying: Lying = TRUTH,
    ) -> None:
        """List the worlds at the start of a game.

        Args:
            rows: Rows of the board.
            columns: Columns of the board.
            fleets: How likely each fleet is beforehand; its layouts are equally likely.
            touching: Where two ships may touch.
            lying: How the opponent may lie.

        Raises:
            ValueError: If there are more worlds than ``MAX_WORLDS``.
        """
        self._rows, self._columns, self._touching = rows, columns, touching
        self._lying = lying
        self.weights: dict[World, float] = {}
        for fleet, prior in fleets.items():
            found: list[World] = []
            for layout in self._layouts(fleet, (), 0):
                found.append(World(tuple((mask, 0) for mask in layout), 0))
                if len(found) + len(self.weights) > MAX_WORLDS:
                    raise ValueError(f"more than {MAX_WORLDS} layouts cannot be listed")
            self.weights |= {world: prior / len(found) for world in found}

    @property
    def cells(self) -> Floats:
        """Return the probability that a ship afloat has a cell there that was not hit."""
        chances = np.zeros(self._rows * self._columns)
        for world, weight in self.weights.items():
            for mask, hit in world.ships:
                chances[cells_of(mask & ~hit)] += weight
        return chances / sum(self.weights.values())

    def observe(self, answer: Answer) -> None:
        """Keep the worlds that give this answer.

        Raises:
            ImpossibleEvidenceError: If none does.
        """
        kept: Counter[World] = Counter()
        for world, weight in self.weights.items():
            answered = self._answered(world, answer)
            if answered is not None:
                after, chance = answered
                kept[after] += weight * chance  # type: ignore[assignment]
        if not kept:
            raise ImpossibleEvidenceError("no world agrees with what was answered")
        self.weights = dict(kept)

    def move(self, chance: float) -> None:
        """Let an undamaged ship move, as the opponent may have done after the answer.

        Args:
            chance: How likely some ship moves, if one can; all legal steps are equally likely.
        """
        moved: Counter[World] = Counter()
        for world, weight in self.weights.items():
            steps = list(self._steps(world))
            stays = 1 - chance if steps else 1.0
            moved[world] += weight * stays  # type: ignore[assignment]
            for step in steps:
                moved[step] += weight * chance / len(steps)  # type: ignore[assignment]
        self.weights = {world: weight for world, weight in moved.items() if weight > 0}

    def _answered(self, world: World, answer: Answer) -> tuple[World, float] | None:
        """Return the world after the salvo and how likely it answers so; None if it cannot."""
        fired = mask_of(answer.cells)
        ships = tuple((mask, hit | mask & fired) for mask, hit in world.ships)
        struck = sunk_cells = 0
        sunk = []
        for (mask, before), (_, after) in zip(world.ships, ships, strict=True):
            struck |= mask & fired if before != mask else 0
            if before != mask == after:
                sunk.append(mask.bit_count())
                sunk_cells |= mask
        if isinstance(answer.sunk, int):
            agrees = len(sunk) == answer.sunk
        else:
            agrees = answer.sunk is None or Counter(sunk) == Counter(answer.sunk)
        if isinstance(answer.hits, int):
            agrees &= struck.bit_count() == answer.hits
            return (World(ships, world.lies), 1.0) if agrees else None
        lied = struck ^ mask_of(answer.hits)
        lies = world.lies + lied.bit_count()
        if not agrees or lied & sunk_cells or lies > self._lying.budget:
            return None
        return World(ships, lies), self._lying.weight ** lied.bit_count()

    def _steps(self, world: World) -> Iterator[World]:
        """Yield the worlds after each legal step of an undamaged ship along its own axis."""
        afloat = [mask for mask, hit in world.ships if mask != hit]
        for number, (mask, hit) in enumerate(world.ships):
            if hit:
                continue
            others = sum(other for other in afloat if other != mask)
            length = mask.bit_count()
            run = placements(self._rows, self._columns, length + 1)
            for place in placements(self._rows, self._columns, length):
                # Together, before and after make a straight run that is one cell longer.
                if mask | place in run and not self._reach(place) & others:
                    moved = [*world.ships]
                    moved[number] = place, 0
                    yield World(tuple(moved), world.lies)

    def _layouts(
        self, fleet: Sequence[int], layout: tuple[int, ...], closed: int
    ) -> Iterator[tuple[int, ...]]:
        if len(layout) == len(fleet):
            yield layout
            return
        for place in placements(self._rows, self._columns, fleet[len(layout)]):
            if not place & closed:
                yield from self._layouts(fleet, (*layout, place), closed | self._reach(place))

    def _reach(self, mask: int) -> int:
        """Return the cells that a ship denies to others."""
        return barred(self._rows, self._columns, mask, self._touching)

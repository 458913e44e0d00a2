"""Draw blocks of layouts and shoot where most of those that agree with the answers have a ship.

Idea: approximate Bayesian computation. Each ship is drawn by itself, among its placements that no
miss rules out; of a block of draws it keeps those whose ships do not overlap and which agree with
every cell that was shot. It shoots the cell that most of them cover. What is known of single ships
is used as the source uses it: a miss rules out placements of every ship, the cell that sank a ship
those of that ship that lack it and those of the others that have it, a hit none. If no draw of a
block is kept, another is drawn.

Source: Austin Rochford's article on Battleship, Bayesian search theory and Thompson sampling; the
size of a block is its ``block_size``, 10,000 by default (``thompson --block-size N``).

Cost of a move: a block of draws, or several where there are many answers and few layouts agree.
"""

import argparse
import functools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from arena import Bot, run
from arena.rules import cells_of, mask_of, placements
from arena.rules.rule_features import CERTAIN, TOUCHING
from bots.tactics.placement_counts import HIT_WEIGHT

Words = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]

BLOCK_SIZE = 10_000
MAX_BLOCKS = 100  # blocks in which no layout agrees, after which ships are counted one by one

WORD = 64


class Thompson(Bot):
    """Shoots the cell that most layouts of a sample cover."""

    author = "Salvo"
    version = "1.0"
    # Where ships may not touch, ships drawn each by itself hardly ever make a layout.
    understands = CERTAIN - TOUCHING | {"reshoot"}

    def __init__(self, block_size: int = BLOCK_SIZE) -> None:
        self.block_size = block_size

    def game_begins(self) -> None:
        """Start with every placement of every ship."""
        self.draws = np.random.default_rng(self.random.getrandbits(64))
        rules = self.rules
        self.possible = {
            ship.name: list(placements(rules.rows, rules.columns, ship.length))
            for ship in rules.opponent_fleet or ()
        }
        self.shots_read = self.hits_read = self.sunk_read = 0

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the cells that most layouts of the sample cover, the lowest first."""
        self._read()
        cells = self._covered()
        cells[self.shot] = -1
        return [int(cell) for cell in np.argsort(-cells, kind="stable")[:count]]

    def _read(self) -> None:
        fired = self.shot[self.shots_read :]
        closed = mask_of(set(fired) - set(self.hits[self.hits_read :]))
        sunk = self.sunk[self.sunk_read :]
        self.shots_read, self.hits_read = len(self.shot), len(self.hits)
        self.sunk_read = len(self.sunk)
        # Only a salvo of one shot says which cell it was that sank a ship.
        last = mask_of(fired) if sunk and len(fired) == 1 else 0
        names = {ship.name for ship, _ in sunk}
        named = mask_of(self.hit_ships)
        for name, masks in self.possible.items():
            own = name in names
            hits = mask_of(cell for cell, ship in self.hit_ships.items() if ship == name)
            lay = mask_of(self.sunk_cells.get(name, ()))
            self.possible[name] = [
                mask
                for mask in masks
                if not mask & closed
                and (not last or bool(mask & last) == own)
                and mask & named == hits
                and lay in (0, mask)
            ]

    def _covered(self) -> Floats:
        hits, shot = mask_of(self.hits), mask_of(self.shot)
        ships = [_words(masks, self.rules.cells) for masks in self.possible.values()]
        wanted = _words([hits], self.rules.cells)
        seen = _words([shot], self.rules.cells)
        for _ in range(MAX_BLOCKS):
            union = self._block(ships)
            union = union[:, ((union & seen) == wanted).all(axis=0)]
            if union.shape[1]:
                rows = np.ascontiguousarray(union.T).view(np.uint8)
                bits = np.unpackbits(rows, axis=1, bitorder="little")
                covered: Floats = bits.sum(axis=0, dtype=float)
                return covered[: self.rules.cells]
        return self._one_by_one(hits)

    def _block(self, ships: Sequence[Words]) -> Words:
        """Draw each ship by itself; return the cells of the draws without an overlap."""
        union = np.zeros((len(ships[0]), self.block_size), np.uint64)
        for masks in ships:
            drawn = masks.take(self.draws.integers(masks.shape[1], size=union.shape[1]), axis=1)
            apart = np.flatnonzero(~(union & drawn).any(axis=0))
            union = (union | drawn).take(apart, axis=1)
        return union

    def _one_by_one(self, hits: int) -> Floats:
        """Count each ship's placements as if it were alone, with those over hits counting more."""
        cells = np.zeros(self.rules.cells)
        for masks in self.possible.values():
            for mask in masks:
                cells[cells_of(mask)] += HIT_WEIGHT ** (mask & hits).bit_count()
        return cells


def _words(masks: Sequence[int], cells: int) -> Words:
    """Return bit masks as words, (words, masks)."""
    words = -(-cells // WORD)
    data = b"".join(mask.to_bytes(words * WORD // 8, "little") for mask in masks)
    table = np.frombuffer(data, "<u8").astype(np.uint64).reshape(len(masks), words)
    return np.ascontiguousarray(table.T)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Approximate Bayesian computation.")
    parser.add_argument("--block-size", type=int, default=BLOCK_SIZE)
    options = parser.parse_args()
    if options.block_size < 1:
        parser.error(f"--block-size {options.block_size}: a block has at least one layout")
    run(functools.partial(Thompson, options.block_size))

"""Score every cell by the ships that may lie on it; where ships move, find all before sinking any.

Idea: a placement adds to each of its cells the product of the chances that none of its cells is
blocked, 20 times more for each hit that it covers, and 50 times more where one shot would sink it.
Misses, the surroundings of sunk ships and the cells across the corners of hits are blocked. Where
ships stay, cells off one colour of the checkerboard count 0.9, and each score is divided by what
the cell scored on the empty board. Where ships move, what is known of a cell fades by 0.98 a shot,
and there are two phases: first it shoots only one colour, and no cell beside a hit, until enough
hits hold the fleet in place or the countdown runs; then it sinks them all. Its own ships move at
random every other turn. Noise on the scores makes it easier to beat.

Source: the CleverAI of the "Battleships: AI" wiki of zrho/afp, its rules and its numbers.

Cost of a move: four matrix products over the placements of each length.
"""

import argparse
import functools
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import takewhile
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from arena import Bot, run
from arena.rules import RulesView, barred, cells_of, placements
from arena.rules.rule_features import DETAILS, TURNS
from bots.tactics.own_fleet import OwnFleet

DECAY = 0.98  # what was known of a cell fades by this a shot later, where ships move

OFF_COLOUR = 0.9
HIT_BONUS = 20
SINKING_BONUS = 50
MOVES = 0.5  # how often it moves a ship

Difficulty = Literal["easy", "medium", "hard"]
Floats = npt.NDArray[np.float64]
Cells = npt.NDArray[np.signedinteger[Any]]


class Chart:
    """Tracks the opponent's board.

    Attributes:
        time: How many shots were noted.
        hits: Whether a cell is a hit on a ship afloat.
        shot_at: When a cell was last shot; minus infinity if it never was.
    """

    def __init__(self, rules: RulesView) -> None:
        self._rules = rules
        self._decay = DECAY if rules.moves else 1.0
        self._water = np.zeros(rules.cells, bool)
        self._sunk_at = np.full(rules.cells, -np.inf)
        self.time = 0
        self.hits = np.zeros(rules.cells, bool)
        self.shot_at = np.full(rules.cells, -np.inf)
        self.afloat = Counter(ship.length for ship in rules.opponent_fleet or ())

    def note(self, cell: int, *, hit: bool, sunk: bool) -> None:
        """Take in the result of a shot."""
        self.time += 1
        self.shot_at[cell] = self.time
        self._water[cell] = not hit
        self.hits[cell] = hit
        if sunk:
            ship = self._ship_at(cell)
            self.afloat -= Counter([len(ship)])
            around = cells_of(self._around(ship, "never"))
            self._sunk_at[around] = self.time
            self._water[around] = self.hits[around] = False

    def _ship_at(self, cell: int) -> set[int]:
        """Return the straight run of hits through a cell: ships do not touch."""
        board = np.arange(self._rules.cells).reshape(self._rules.rows, self._rules.columns)
        row, column = divmod(cell, self._rules.columns)
        left, right = board[row, column::-1], board[row, column:]
        up, down = board[row::-1, column], board[row:, column]
        lines = (line.tolist() for line in (left, right, up, down))
        return {hit for line in lines for hit in takewhile(lambda one: self.hits[one], line)}

    def _around(self, cells: Collection[int], touching: Literal["corners", "never"]) -> int:
        mask = sum(1 << cell for cell in cells)
        return barred(self._rules.rows, self._rules.columns, mask, touching)

    def free(self) -> Floats:
        """Return for each cell the chance that it is not blocked."""
        blocked = np.where(self._water, self._decay ** (self.time - self.shot_at), 0.0)
        since = self.time - self._sunk_at
        near = np.where(np.isfinite(since), self._decay**since, 0.0)
        blocked = np.maximum(blocked, near)
        for hit in np.flatnonzero(self.hits).tolist():
            corners = self._around([hit], "never") & ~self._around([hit], "corners")
            blocked[cells_of(corners)] = 1
        return 1 - blocked


class Clever(Bot):
    """Shoots the cell with the highest score; the least noise is added where it is "hard"."""

    author = "Salvo"
    version = "1.0"
    understands = (
        DETAILS
        | TURNS
        | {"sinkings=unnamed", "touching=never", "moves", "reshoot", "layouts=sequential"}
    )

    def __init__(self, difficulty: Difficulty = "hard") -> None:
        self.difficulty = difficulty

    def plays(self, rules: RulesView) -> bool:
        """Return whether a known fleet lies apart, and each shot is reported, sinkings included."""
        return super().plays(rules) and rules.touching == "never"

    def game_begins(self) -> None:
        """Start from an unknown board, and choose one colour of the checkerboard."""
        rules = self.rules
        self.noise = np.random.default_rng(self.random.getrandbits(64))
        self.chart = Chart(rules)
        self.own_fleet = OwnFleet(self)
        self.seen = self.turns = 0
        rows, columns = np.divmod(np.arange(rules.cells), rules.columns)
        self.on_colour = (rows + columns) % 2 == self.random.getrandbits(1)
        self.at_first = self._sum(lambda cells: np.ones(len(cells)))

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the cell with the highest score, noise included."""
        del count
        self._read()
        scores = self._with_noise(self._scores())
        if not self.rules.reshoot:
            scores[self.shot] = -1
        return [int(scores.argmax())]

    def move_ship(self) -> tuple[str, Sequence[int]] | None:
        """Return any legal move, or half the time none."""
        moves = self.own_fleet.moves()
        return self.random.choice(moves) if moves and self.random.random() < MOVES else None

    def _read(self) -> None:
        for (cell,), report in self.reports[self.seen :]:
            hit = bool(report.hits)
            self.chart.note(cell, hit=hit, sunk=bool(report.sunk))
            self.turns += self.solo or not (hit and self.rules.again)
        self.seen = len(self.reports)

    def _scores(self) -> Floats:
        chart, rules = self.chart, self.rules
        free = chart.free()
        searching = rules.moves and self._is_searching()

        def weigh(cells: Cells) -> Floats:
            chance: Floats = free[cells].prod(axis=1)
            hits = chart.hits[cells].sum(axis=1)
            worth: Floats = 1.0 + HIT_BONUS * hits + SINKING_BONUS * (hits == cells.shape[1] - 1)
            if searching:
                worth = (hits == 0).astype(np.float64)
            weights: Floats = chance * worth
            return weights

        scores = self._sum(weigh)
        scores[chart.hits] = 0
        if searching or not rules.moves:
            scores *= np.where(self.on_colour, 1, 0 if searching else OFF_COLOUR)
            scores /= np.maximum(self.at_first, 1)
        if rules.moves:
            scores *= 1 - DECAY ** (chart.time - chart.shot_at)
        return scores

    def _is_searching(self) -> bool:
        rules = self.rules
        enough = sum(length // 2 * number for length, number in self.chart.afloat.items())
        in_time = rules.turn_limit is None or self.turns < rules.turn_limit - rules.countdown
        return in_time and int(self.chart.hits.sum()) < enough

    def _sum(self, weigh: Callable[[Cells], Floats]) -> Floats:
        """Return for each cell the weights of the placements through it, of all ships afloat."""
        scores = np.zeros(self.rules.cells)
        for length, number in self.chart.afloat.items():
            cells = runs(self.rules.rows, self.rules.columns, length)
            weights = np.repeat(weigh(cells) * number, length)
            scores += np.bincount(cells.ravel(), weights, minlength=self.rules.cells)
        return scores

    def _with_noise(self, scores: Floats) -> Floats:
        noise: Floats = self.noise.random(len(scores))
        if self.difficulty == "hard":
            return scores * (0.95 + 0.1 * noise)
        reach = 3.5 if self.difficulty == "easy" else 2.9 if self.rules.moves else 2.0
        return scores + noise * (reach * float(scores.max()))


@functools.lru_cache
def runs(rows: int, columns: int, length: int) -> Cells:
    """Return the cells of each placement of a length, (placements, length)."""
    places = [cells_of(place) for place in placements(rows, columns, length)]
    return np.array(places, dtype=np.intp).reshape(-1, length)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The CleverAI of the AFP wiki.")
    parser.add_argument("--difficulty", choices=["easy", "medium", "hard"], default="hard")
    run(functools.partial(Clever, parser.parse_args().difficulty))

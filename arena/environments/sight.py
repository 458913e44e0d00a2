"""Shows a shooter's board as arrays: the same in every environment."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from arena.rules import CellsReport, Rules, Seat, State, cells_of, preset, refuse_unknown
from arena.rules.rule_features import CERTAIN, DETAILS

if TYPE_CHECKING:
    from gymnasium import spaces

UNTRIED, CHOSEN, MISS, HIT, SANK = range(5)
"""The state of a cell, as the shooter sees it.

CHOSEN is a cell of a salvo that is not complete yet; SANK is a hit of a salvo that was reported to
have sunk a ship.
"""

RenderMode = Literal["ansi", "human", "rgb_array"] | None
"""A board is returned as text, written to standard output, returned as a picture, or nothing."""

SEEDS = 2**53
"""Seeds that every language reads exactly."""

SEATS: tuple[Seat, Seat] = ("first", "second")

Cells = NDArray[np.int8]
"""Small integers, one a cell or one a ship."""

_UNDERSTOOD = CERTAIN - DETAILS | {"fleet_known"}

_SIGNS = ".*o#@"


def rules_to_learn(rules: Rules | str) -> Rules:
    """Return the rules of an environment.

    Raises:
        RulesError: If no preset has that name, or a board cannot show what the rules report.
    """
    found = preset(rules) if isinstance(rules, str) else rules
    reader = (
        "environments show a board on which every cell that was shot is a hit or a miss for good"
    )
    refuse_unknown(found, _UNDERSTOOD, reader)
    return found


class Sight:
    """The board that one seat shoots at, as reported to it.

    Attributes:
        board: What is known of each cell, rows x columns.
        sunk: Which ships were reported sunk, 0 or 1 in the order of the fleet; where sinkings
            are unnamed, their number alone; empty where they are silent.
        chosen: The cells of the salvo that is not complete yet.
    """

    def __init__(self, rules: Rules) -> None:
        self._names = [ship.name for ship in rules.fleet]
        self.board: Cells = np.zeros((rules.rows, rules.columns), dtype=np.int8)
        self.sunk: Cells = np.zeros(reported_sunk(rules), dtype=np.int8)
        self.chosen: list[int] = []

    def choose(self, cell: int) -> None:
        """Add a cell to the salvo."""
        self.chosen.append(cell)
        self.board.flat[cell] = CHOSEN

    def hear(self, cells: Sequence[int], report: CellsReport) -> None:
        """Note what was reported of a salvo."""
        self.chosen = []
        hit = SANK if report.sunk else HIT
        for cell in cells:
            self.board.flat[cell] = hit if cell in report.hits else MISS
        if isinstance(report.sunk, int):
            self.sunk += report.sunk
        else:
            for name in report.sunk or ():
                self.sunk[self._names.index(name)] = 1

    def observation(self) -> dict[str, Cells]:
        """Return a copy of what is known, an element of ``sight_space``."""
        seen = {"board": self.board.copy()}
        return seen | {"sunk": self.sunk.copy()} if self.sunk.size else seen

    def untried(self, cell: np.int64 | int) -> bool:
        """Return whether a cell may be chosen."""
        return bool(self.board.flat[cell] == UNTRIED)

    def mask(self) -> Cells:
        """Return 1 for each cell that may be chosen, else 0; 1 for all if none is left."""
        mask: Cells = (self.board == UNTRIED).ravel().astype(np.int8)
        return mask if mask.any() else np.ones_like(mask)


def reported_sunk(rules: Rules) -> int:
    """Return how many numbers report what was sunk: one a ship, one for all, or none."""
    return {"named": len(rules.fleet), "unnamed": 1, "silent": 0}[rules.sinkings]


def own_sea(state: State, seat: Seat, laid: int = 0) -> dict[str, Cells]:
    """Return a seat's own board, rows x columns each.

    ``own`` is 1 where its ships lie, those ``laid`` so far until all are, and ``incoming`` 1 for
    each cell shot at it.
    """
    rules, waters = state.rules, state.waters.of(seat)
    masks = (laid, 0) if waters is None else (sum(waters.ships), waters.shot)
    sea = np.zeros((2, rules.cells), dtype=np.int8)
    for cells, mask in zip(sea, masks, strict=True):
        cells[cells_of(mask)] = 1
    own, incoming = sea.reshape(2, rules.rows, rules.columns)
    return {"own": own, "incoming": incoming}


def duel_space(rules: Rules) -> "spaces.Dict":
    """Return the space of what a seat of two sees: ``sight_space``, and its own board."""
    from gymnasium import spaces  # noqa: PLC0415 - an extra, without which the boards do

    own = spaces.Box(0, 1, (rules.rows, rules.columns), np.int8)
    return spaces.Dict({**sight_space(rules).spaces, "own": own, "incoming": own})


def sight_space(rules: Rules) -> "spaces.Dict":
    """Return the space of what a seat sees: ``board``, and ``sunk`` if sinkings are reported."""
    from gymnasium import spaces  # noqa: PLC0415 - an extra, without which the boards do

    shape = (rules.rows, rules.columns)
    seen: dict[str, spaces.Space[Any]] = {"board": spaces.Box(UNTRIED, SANK, shape, np.int8)}
    if numbers := reported_sunk(rules):
        # The number of ships of an unknown fleet is no secret that its bound could tell.
        most = 1 if rules.sinkings == "named" else min(rules.cells, np.iinfo(np.int8).max)
        seen["sunk"] = spaces.Box(0, most, (numbers,), np.int8)
    return spaces.Dict(seen)


def draw_board(board: Cells) -> str:
    """Return a board as text, a line a row: . untried, * chosen, o miss, # hit, @ sank a ship."""
    return "\n".join("".join(_SIGNS[cell] for cell in row) for row in board) + "\n"

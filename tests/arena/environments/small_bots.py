"""Bots whose games can be followed by eye, and rules by which they know where to shoot."""

from collections.abc import Sequence

from arena import Bot, Unavailable
from arena.protocol import End
from arena.rules import Rules, Ship

# All layouts look the same by these rules, so that both sides know where to shoot.
LONE = Rules(
    name="lone",
    rows=1,
    columns=7,
    fleet=(Ship("A", 3), Ship("B", 3)),
    shots=2,
    touching="never",
    sinkings="silent",
)


class Sweeper(Bot):
    """Shoots the cells in order, and remembers how its games ended."""

    ends: list[End]

    def __init__(self) -> None:
        self.ends = []

    def choose_shots(self, count: int) -> Sequence[int]:
        return self.untried[:count]

    def game_ends(self, end: End) -> None:
        self.ends.append(end)


class Sure(Sweeper):
    """Shoots at ships alone."""

    def choose_shots(self, count: int) -> Sequence[int]:
        return [cell for cell in self.untried if cell != 3][:count]


class Cut(Sure):
    """Cannot go on after its first salvo."""

    def choose_shots(self, count: int) -> Sequence[int]:
        if self.shot:
            raise Unavailable("no model")
        return super().choose_shots(count)

"""Trains the network of ``deep_salvo`` that is shown the posterior."""

from abc import abstractmethod
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

from numpy.typing import NDArray

from arena.rules import Rules
from bots.tactics.learned.placement_network import Floats, Integers, symmetries
from bots.tactics.learned.weight_files import Arrays
from bots.training.deep_salvo import BUNDLED, NetworkAgent


class Shown(Protocol):
    """Positions of games, and what is to be learned of each; a row for each position."""

    @property
    def posterior(self) -> Floats:
        """Return how likely each cell had a ship, (positions, cells)."""

    def some(self, rows: NDArray[Any], /) -> Self:
        """Return some of the positions."""

    def turned(self, order: Integers, /) -> Self:
        """Return the same positions with their cells in another order."""


T = TypeVar("T", bound=Shown)


class ShownAgent(NetworkAgent, Generic[T]):
    """An agent that plays some games, and learns from their positions a few times each.

    Args:
        path: The weights that it begins with.

    Raises:
        UserError: If PyTorch is not installed.
    """

    def __init__(self, settings: Any, rules: Rules | None = None, path: Path = BUNDLED) -> None:  # noqa: ANN401 - each trainer has settings of its own
        super().__init__(settings, rules)
        self.learner = self.bundled(path)
        self._turns = symmetries(self.origin.rows, self.origin.columns)

    @abstractmethod
    def play(self, number: int) -> tuple[list[int], T]:
        """Play games to their end; return the turns of each, and what is to be learned."""

    @abstractmethod
    def step(self, some: T, rate: float) -> None:
        """Take one step of learning from some positions."""

    def learn_from(self, most: int) -> list[int]:
        """Play so many games, or those that are left, and learn; return the turns of each."""
        number = min(most, self.settings.games - self.played)
        turns, found = self.play(number)
        rate = self.settings.step * self.faded
        for _ in range(self.settings.looks):
            for rows in self.batches(len(found.posterior)):
                turn = self._turns[self.random.integers(len(self._turns))]
                self.step(found.some(rows).turned(turn), rate)
        self.played += number
        return turns

    def weights(self) -> tuple[str, Arrays, dict[str, Any]]:
        """Return the network's weights, and the game that they are for."""
        purpose = self.game | {"sinkings": self.origin.sinkings, "fleet": True}
        return "posterior", self.learner.arrays(), purpose

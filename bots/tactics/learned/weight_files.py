"""Reads and writes weights as a file beside a bot, with where they come from."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.rules import RulesView, unusual
from arena.rules.rule_features import CERTAIN

Arrays = Mapping[str, NDArray[Any]]

_ORIGIN = "origin"


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """Says where weights come from, and what they are for."""

    command: str
    seed: int
    date: str  # the day on which the training ended, as YYYY-MM-DD
    code: str  # the SHA-256 of the trainer and of what it shares with the bot
    # A commit of Salvo in which that is the code; empty if it was none's
    commit: str = ""
    games: int  # how many games were played
    rows: int
    columns: int
    # The lengths of the ships, the longest first; empty if any fleet will do
    lengths: tuple[int, ...] = ()
    shots: int = 1  # shots a turn; 0 if any number will do
    # Whether they see which ships are sunk, and so need them reported by name
    sinkings: bool = False
    fleet: bool = False  # whether they see the lengths of the ships
    planes: int = 1  # numbers a cell that a network sees

    def fits(self, rules: RulesView) -> bool:
        """Return whether these weights are for the game of some rules."""
        fleet = rules.opponent_fleet or ()
        lengths = tuple(sorted((ship.length for ship in fleet), reverse=True))
        return (
            unusual(rules) <= CERTAIN
            and (rules.rows, rules.columns) == (self.rows, self.columns)
            and self.shots in (0, rules.shots)
            and lengths == self.lengths
            and (rules.sinkings == "named" or not self.sinkings)
        )


def write_weights(path: Path, arrays: Arrays, origin: Origin) -> None:
    """Write weights to an ``.npz`` file that holds numbers and text alone."""
    text = np.array(msgspec.json.encode(origin).decode())
    named = {_ORIGIN: text, **arrays}
    np.savez_compressed(path, **named)  # type: ignore[arg-type] # none is called allow_pickle


def read_weights(path: Path) -> tuple[dict[str, NDArray[Any]], Origin]:
    """Return the arrays of a file of weights, and where they come from.

    Raises:
        OSError: If it cannot be read.
        ValueError: If it holds anything but arrays of numbers and text.
    """
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    text = str(arrays.pop(_ORIGIN))
    return arrays, msgspec.json.decode(text, type=Origin)

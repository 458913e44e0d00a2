"""Defines what all trainers share: options, rules, randomness, and weights that say their game.

``bots.training.course`` trains them.
"""

import argparse
import dataclasses
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from arena.rules import PRESETS, Rules, preset
from bots.tactics.learned.weight_files import Arrays

T = TypeVar("T")


def option(default: T, text: str, **more: object) -> T:
    """Return a field of settings, of which ``salvo train`` makes an option with a help text."""
    return dataclasses.field(default=default, metadata={"help": text, **more})


def parsed(settings: type[T], description: str) -> T:
    """Return settings with the options of the command line, of a trainer that is run by itself."""
    parser = argparse.ArgumentParser(description=description)
    options = [each for each in dataclasses.fields(settings) if "help" in each.metadata]  # type: ignore[arg-type] # a dataclass
    for each in options:
        parser.add_argument(
            f"--{each.name.replace('_', '-')}",
            type=type(each.default),
            default=each.default,
            choices=each.metadata.get("choices"),
            help=f"{each.metadata['help']} Default: {each.default}.".replace("%", "%%"),
        )
    given = vars(parser.parse_args())
    for each in options:
        least = each.metadata.get("least")
        if least is not None and given[each.name] < least:
            parser.error(f"--{each.name} {given[each.name]}: give {least} or more")
    return settings(**given)


def say(text: str) -> None:
    """Print to stderr how far the training is."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - a trainer is a command


class LearningAgent(ABC):
    """A learning agent at work.

    Args:
        settings: A dataclass with ``games``, ``seed`` and ``rules``.
        rules: The rules that the settings name; they may be None if that is a preset.

    Attributes:
        bot: The name of the bundled bot that plays its weights.
        counts: What is counted of a game, of which the learning curve shows the mean.
        free: The settings that change no weights: training goes on with other values of them.
        random: All its randomness.
    """

    bot: ClassVar[str]
    counts: ClassVar[Literal["turns", "points"]] = "turns"
    free: ClassVar[tuple[str, ...]] = ()

    def __init__(self, settings: Any, rules: Rules | None = None) -> None:  # noqa: ANN401 - each trainer has settings of its own
        self.settings = settings
        self.rules = preset(settings.rules) if rules is None else rules
        self.random = np.random.default_rng(settings.seed)

    @abstractmethod
    def learn(self) -> list[int]:
        """Play some games and learn from them; return what each ``counts``."""

    @abstractmethod
    def state(self) -> Mapping[str, NDArray[Any]]:
        """Return all that it has learned, but for ``random``, as arrays that may be changed."""

    @abstractmethod
    def restore(self, state: Arrays) -> None:
        """Go on from what ``state`` returned."""

    @abstractmethod
    def weights(self) -> tuple[str, Arrays, dict[str, Any]]:
        """Return the stem of the file of weights, the weights, and fields of ``Origin``.

        The fields are those that say what the weights are for.
        """

    @property
    def stem(self) -> str:
        """Return the name of the rules, never that of a preset that they are not."""
        name = self.rules.name
        changed = name in PRESETS and self.rules != preset(name)
        return f"{name}-changed" if changed else name

    @property
    def game(self) -> dict[str, Any]:
        """Return the fields of ``Origin`` that tell the game of the rules."""
        rules = self.rules
        lengths = tuple(sorted((ship.length for ship in rules.fleet), reverse=True))
        board = {"rows": rules.rows, "columns": rules.columns}
        return board | {"lengths": lengths, "shots": rules.shots}

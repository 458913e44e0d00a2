"""Converts what options are given, and refuses it in words."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

import click
from click.shell_completion import CompletionItem

from arena.entrants import parse_secret
from arena.errors import UserError
from arena.isolation import parse_address
from salvo.cli.options.completing import Complete, complete_rules
from salvo.rule_files import read_rules

FILE = click.Path(dir_okay=False, path_type=Path)
EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)

_T = TypeVar("_T")


class Parsed(click.ParamType[_T], Generic[_T]):
    """A type that a function parses; what its `ValueError` says is the user's mistake."""

    def __init__(
        self, name: str, parse: Callable[[str], _T], complete: Complete | None = None
    ) -> None:
        self.name, self._parse, self._complete = name, parse, complete

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's own signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:  # noqa: ANN401 - a default stays as it is
        """Return what ``value`` means."""
        try:
            return self._parse(value) if isinstance(value, str) else value
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return what a shell may complete it to."""
        return self._complete(ctx, param, incomplete) if self._complete else []


class FiniteRange(click.FloatRange):
    """A range of numbers; NaN, which no comparison refuses, lies in none."""

    name = "number"
    _parse: Callable[[Any], float] = float
    _what = "a number"

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's own signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """Return the number that ``value`` is."""
        try:
            number = self._parse(value)
        except ValueError:
            number = math.nan
        if number != number:  # noqa: PLR0124 - NaN, and a whole number may be too large for a float
            self.fail(f"'{value}' is not {self._what}", param, ctx)
        if self.min is not None and number < self.min:
            self.fail(f"{number:,} is too small; give {self.min:,} or more", param, ctx)
        if self.max is not None and number > self.max:
            self.fail(f"{number:,} is too large; give {self.max:,} at most", param, ctx)
        return number


class WholeRange(FiniteRange):
    """A range of whole numbers."""

    _parse = int
    _what = "a whole number"


def _bot_and_elo(text: str) -> tuple[str, float]:
    bot, _, elo = text.rpartition("=")
    try:
        number = float(elo)
    except ValueError:
        number = math.nan
    if not bot.strip() or not math.isfinite(number):
        raise ValueError(f"{text!r} is not BOT=ELO, such as hunt_target=1500.")
    return bot.strip(), number


RULES = Parsed("preset|file", read_rules, complete_rules)
ADDRESS = Parsed("host:port", lambda text: str(parse_address(text)))
SECRET = Parsed("bot=variable", lambda text: str(parse_secret(text)))
ANCHOR = Parsed("bot=elo", _bot_and_elo)
SECONDS = FiniteRange(min=0.01, max=86_400)


def even(_ctx: click.Context, _param: click.Parameter, value: int | None) -> int | None:
    """Return how many games were asked for, an even number.

    Raises:
        UserError: If it is odd.
    """
    if value is not None and value % 2:
        raise UserError(
            f"--games {value}: games come in pairs with the seats swapped; "
            f"ask for an even number, {value - 1} or {value + 1}"
        )
    return value

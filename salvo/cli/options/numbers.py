"""Numbers as options, refused in words."""

import math
from typing import Any

import click


class WholeRange(click.IntRange):
    """A range of whole numbers."""

    name = "number"

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's own signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> int:
        """Return the number that ``value`` is."""
        try:
            number = int(value)
        except ValueError:
            self.fail(f"'{value}' is not a whole number", param, ctx)
        _refuse_outside(self, number, param, ctx)
        return number


class FiniteRange(click.FloatRange):
    """A range of numbers; NaN, which no comparison refuses, lies in none."""

    name = "number"

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's own signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """Return the number that ``value`` is."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if math.isnan(number):
            self.fail(f"'{value}' is not a number", param, ctx)
        _refuse_outside(self, number, param, ctx)
        return number


def _refuse_outside(
    kind: click.IntRange | click.FloatRange,
    number: float,
    param: click.Parameter | None,
    ctx: click.Context | None,
) -> None:
    if kind.min is not None and number < kind.min:
        kind.fail(f"{number:,} is too small; give {kind.min:,} or more", param, ctx)
    if kind.max is not None and number > kind.max:
        kind.fail(f"{number:,} is too large; give {kind.max:,} at most", param, ctx)

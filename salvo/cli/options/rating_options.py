"""Makes the options of every command that rates two-player games."""

import functools
from collections.abc import Callable, Iterable
from typing import Any

import click

from arena.errors import UserError
from salvo.cli.options.option_types import ANCHOR
from salvo.reports.how_rated import HowRated

_RATING = (
    click.option(
        "--prior",
        type=click.Choice(["weak", "none"]),
        default="weak",
        show_default=True,
        callback=lambda _ctx, _param, value: value == "weak",
        help="Whether ratings start from a weak prior, which keeps those of winless bots finite.",
    ),
    click.option(
        "--anchor",
        type=ANCHOR,
        metavar="BOT=ELO",
        help="This bot stands at this Elo, instead of the mean of the field at 1500.",
    ),
    click.option(
        "--without-forfeits",
        is_flag=True,
        help="Leave forfeited games out of the ratings; else they count as lost.",
    ),
)


def rating_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of every command that rates two-player games, passed to it as ``how``."""

    @functools.wraps(command)
    def gathered(
        *,
        prior: bool,
        anchor: tuple[str, float] | None,
        without_forfeits: bool,
        **given: Any,  # noqa: ANN401 - the options of the command
    ) -> None:
        command(how=HowRated(prior, anchor, not without_forfeits), **given)

    with_options: Callable[..., None] = gathered
    for option in reversed(_RATING):
        with_options = option(with_options)
    return with_options


def refuse_anchor(how: HowRated, names: Iterable[str]) -> None:
    """Refuse an anchor that does not play: better before hours of games than after.

    Raises:
        UserError: If it is none of these names.
    """
    if how.anchor is not None and how.anchor[0] not in (there := sorted(names)):
        raise UserError(
            f"--anchor {how.anchor[0]}: no bot of that name plays here; anchor one of "
            f"{', '.join(there)}"
        )

"""Makes the fields of settings that are options of benchmarks.

Each function returns a field of a dataclass, and is typed ``Any`` so that the field may have a type
of its own; ``salvo.cli.options.settings`` makes an option of it.
"""

from dataclasses import MISSING, field
from pathlib import Path
from typing import Any

import click

from arena.isolation import AUTO, Level
from salvo.bundled import bundled_bots
from salvo.cli.options.option_types import even


def option(default: object, about: str, least: int = 1, **more: object) -> Any:  # noqa: ANN401
    """Return a field with a help text, the least number that may be given, and more for Click."""
    return field(default=default, metadata={"help": about, "least": least, **more})


def workers() -> Any:  # noqa: ANN401
    """Return the field for how many processes play."""
    return option(2, "Blocks of games played in parallel.")


def record(file: str) -> Any:  # noqa: ANN401
    """Return the field for the record."""
    return option(Path(file), "The record of games; the same command goes on from it.")


def kept(file: str) -> Any:  # noqa: ANN401
    """Return the field for the file of what was found, which ``Kept`` writes."""
    return option(Path(file), "The file of what was found; the same command goes on from it.")


def games_of_two(default: int) -> Any:  # noqa: ANN401
    """Return the field for games a pairing."""
    return option(default, "Games a pairing, an even number.", 2, callback=even)


def isolation() -> Any:  # noqa: ANN401
    """Return the field for the name of a level of isolation; ``choose_level`` reads it."""
    levels = click.Choice([AUTO, *(level.value for level in Level)])
    return option(AUTO, "How isolated bots run; `salvo doctor` shows what holds here.", type=levels)


def against(*, required: bool = False) -> Any:  # noqa: ANN401
    """Return the field for another installation."""
    return option(
        MISSING if required else None,
        "A virtual environment whose Salvo is measured in the same run.",
        metavar="VENV",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
    )


def bundled(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names if all are those of bundled bots.

    Raises:
        click.BadParameter: If one is not.
    """
    if unknown := [name for name in names if name not in bundled_bots()]:
        raise click.BadParameter(f"{unknown[0]!r}: give bundled bots; `salvo bots` lists them.")
    return names


def all_bundled(
    _context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    """Return names as ``bundled`` does, as the callback of an option or argument."""
    return bundled(names)

"""Makes the options for what bots may ask for in their TOML, and what all may read."""

import functools
from collections.abc import Callable
from typing import Any

import click

from arena.entrants import MAX_MEMORY_MB, Terms
from arena.isolation import USUAL_MB
from salvo.cli.options.option_types import ADDRESS, SECRET, WholeRange

GRANTS = click.Path(exists=True, resolve_path=True)
TEMPORARY = WholeRange(min=0, max=MAX_MEMORY_MB)
MEGABYTES = WholeRange(min=USUAL_MB, max=MAX_MEMORY_MB)

TERMS = {
    "max_memory": "max_memory_mb",
    "max_temporary": "max_temporary_mb",
    "allow_processes": "processes",
    "allow_network": "network",
    "secret": "secrets",
    "grant": "grants",
}
"""The fields of ``Terms``, by the options that set them."""


def terms_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for what bots get, passed to the command as ``terms``."""

    @functools.wraps(command)
    def gathered(**given: Any) -> None:  # noqa: ANN401 - the command's own options too
        terms = Terms(**{field: given.pop(option) for option, field in TERMS.items()})
        command(terms=terms, **given)

    with_options: Callable[..., None] = gathered
    for option in (
        click.option(
            "--grant",
            type=GRANTS,
            multiple=True,
            metavar="PATH",
            help="A file or folder that every bot may read; may be repeated.",
        ),
        click.option(
            "--allow-processes", is_flag=True, help="Let bots that ask for it start processes."
        ),
        click.option(
            "--allow-network",
            type=ADDRESS,
            multiple=True,
            metavar="HOST:PORT",
            help="Let bots that ask for it reach this address; may be repeated.",
        ),
        click.option(
            "--secret",
            type=SECRET,
            multiple=True,
            metavar="BOT=VARIABLE",
            help="Give a bot that asks for it this variable of the environment; may be repeated.",
        ),
        click.option(
            "--max-temporary",
            type=TEMPORARY,
            default=Terms().max_temporary_mb,
            show_default=True,
            metavar="MB",
            help="The largest temporary folder that a bot may ask for.",
        ),
        click.option(
            "--max-memory",
            type=MEGABYTES,
            default=Terms().max_memory_mb,
            show_default=True,
            metavar="MB",
            help="The most memory that a bot may ask for.",
        ),
    ):
        with_options = option(with_options)
    return with_options

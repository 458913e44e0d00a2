"""`salvo bots`: the bundled bots."""

import ast
from pathlib import Path

import click
import pandas as pd

from arena.entrants import parse_entrant
from arena.player import Fault
from arena.records import Settings
from arena.rules import Rules
from arena.tournament import introduce
from salvo.bundled import bundled_bots
from salvo.cli.options import (
    choose_level,
    format_option,
    isolation_option,
    rules_option,
)
from salvo.reports.formats import format_table

__all__ = ["bots"]


@click.command()
@rules_option
@isolation_option
@format_option
def bots(*, rules: Rules, isolation: str, format_: str) -> None:
    """List the bundled bots: whether each plays the rules, and is in the default field."""
    bundled = bundled_bots()
    level = choose_level(isolation).level
    rows = []
    for name, path in bundled.items():
        try:
            told = introduce(parse_entrant(name, bundled).program, rules, Settings(), level)
        except Fault as fault:
            rows.append({"bot": name, "idea": f"cannot be played here: {fault.reason}"})
            continue
        rows.append(
            {
                "bot": name,
                "version": told.version,
                f"plays {rules.name}": _yes(told.plays),
                "default field": _yes(told.default_field),
                "idea": _idea(path),
            }
        )
    click.echo(format_table(pd.DataFrame(rows).fillna(""), format_))


def _yes(value: bool) -> str:  # noqa: FBT001 - it is the value to be shown
    return "yes" if value else "no"


def _idea(path: Path) -> str:
    script = path / "bot.py" if path.is_dir() else path
    docstring = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
    return docstring.partition("\n")[0]

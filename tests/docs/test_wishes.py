"""The table of what a bot may ask for in ``bots/README.md`` is that of the code."""

import re
from pathlib import Path

import click

from arena.entrants import Terms
from arena.entrants.needs import SOFTWARE, Needs
from arena.isolation import USUAL_MB
from salvo.cli.options.bot_terms import terms_options

README = Path(__file__).parents[2] / "bots" / "README.md"
HEAD = "| a bot asks, in its TOML |"


def rows() -> dict[str, list[str]]:
    """Return the rows of the table, without the first cell, by the field in it."""
    _, _, after = README.read_text(encoding="utf-8").partition(HEAD)
    table = re.match(r"(.+\n)+", after)
    assert table is not None
    lines = table[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {field.strip("`"): rest for field, *rest in cells}


def named(cells: list[str], pattern: str) -> set[str]:
    return {name for cell in cells for name in re.findall(pattern, cell)}


def test_every_field_of_a_toml_has_a_row() -> None:
    assert list(rows()) == list(Needs.__struct_fields__)


def test_every_option_that_grants_something_is_named() -> None:
    @click.command()
    @terms_options
    def command() -> None:
        pass

    options = {option for parameter in command.params for option in parameter.opts}
    assert named([row[2] for row in rows().values()], r"`(--[\w-]+)") == options


def test_every_term_of_a_league_is_named() -> None:
    terms = named([row[3] for row in rows().values()], r"`(\w+)`")
    assert terms == set(Terms.__struct_fields__)


def test_what_every_bot_has_is_as_the_code_says() -> None:
    table = rows()
    assert f"{USUAL_MB} MB" in table["memory_mb"][0]
    assert f"{Terms().max_memory_mb} MB" in table["memory_mb"][1]
    assert f"{Terms().max_temporary_mb} MB" in table["temporary_mb"][1]
    assert set(SOFTWARE) <= named(table["command"], r"`([^`]+)`")

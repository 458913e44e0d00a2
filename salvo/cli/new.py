"""`salvo new`: writes a working bot to start from."""

import keyword
import re
import sys
from importlib.resources import files
from pathlib import Path
from string import Template

import click

from arena.errors import UserError
from salvo.bundled import bundled_bots

_OURS = ("arena", "bots", "leaderboards", "salvo")


@click.command()
@click.argument("name")
def new(name: str) -> None:
    """Write NAME.py, a working bot, with comments on how to improve it."""
    name = name.removesuffix(".py")
    _refuse_bad(name)
    path = Path(f"{name}.py")
    template = files("salvo.cli").joinpath("templates", "bot.py.txt").read_text(encoding="utf-8")
    text = Template(template).substitute(name=name, class_name=_class_name(name))
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UserError(f"{path} already exists and was not changed; choose another name") from None
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}") from error
    click.echo(f"{path} is a working bot. Next:\n")
    click.echo(f"  salvo check {path}")
    click.echo(f"  salvo match {path} hunt_target")


def _refuse_bad(name: str) -> None:
    """Refuse a name that would cause trouble in Python or in tables."""
    if not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) or keyword.iskeyword(name):
        raise UserError(
            f"the name {name!r} cannot name a Python file; use a letter, then letters, digits "
            "and underscores, such as my_bot"
        )
    if name in sys.stdlib_module_names:
        raise UserError(
            f"the name '{name}' is one of Python's own modules, and a file {name}.py breaks "
            f"every script beside it that imports it; choose another, such as {name}_bot"
        )
    if name in _OURS or name in bundled_bots():
        raise UserError(
            f"the name '{name}' is taken by Salvo itself; choose another, such as my_{name}"
        )


def _class_name(name: str) -> str:
    camel = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    return (
        camel if camel.isidentifier() and camel not in {"Bot", "None", "True", "False"} else "MyBot"
    )

"""Finds the bots that come with Salvo."""

import importlib
from importlib.resources import files
from pathlib import Path

from arena.bot import Bot

_TAKES_PART = "\n    default_field = True\n"


def bundled_bots() -> dict[str, Path]:
    """Return the path of each bundled bot by its name: a file, or a folder with a bot.py."""
    folder = Path(str(files("bots")))
    scripts = {path.stem: path for path in folder.glob("*.py") if path.name != "__init__.py"}
    folders = {path.parent.name: path.parent for path in folder.glob("*/bot.py")}
    return dict(sorted((scripts | folders).items()))


def default_field() -> list[str]:
    """Return the names of those that may take part where no bots are named.

    Their files say so: to start the others too, only to ask them, would take twice as long.
    """
    return [
        name
        for name, path in bundled_bots().items()
        if _TAKES_PART in (path / "bot.py" if path.is_dir() else path).read_text(encoding="utf-8")
    ]


def bot_class(name: str) -> type[Bot]:
    """Return the class of a bundled bot, to play it in this process.

    Raises:
        KeyError: If there is no bundled bot of that name.
    """
    path = bundled_bots()[name]
    module = importlib.import_module(f"bots.{name}.bot" if path.is_dir() else f"bots.{name}")
    [found] = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Bot)
        and value.__module__ == module.__name__
    ]
    return found

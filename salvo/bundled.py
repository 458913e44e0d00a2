"""Finds the bots that come with Salvo."""

import functools
import importlib
import os
import subprocess
import sys
from collections.abc import Iterable
from importlib.resources import files
from importlib.util import cache_from_source
from pathlib import Path

from arena.bot import Bot

_REPORT = "salvo.reports.pages.report_page"
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


def compile_imports() -> None:
    """Compile what bundled bots import, NumPy included, and reports too, unless the installer did.

    Bots in the sandbox would compile it at each start, since they cannot keep the result.
    """
    imported = Path(str(files("bots")), "tactics", "__init__.py")
    compiled = Path(cache_from_source(str(imported)))
    if sys.dont_write_bytecode or compiled.is_file() or not os.access(imported.parent, os.W_OK):
        return
    # The report's, needed at the end, are compiled beside the bots' on a second processor.
    for process in [_importing(map(_module, default_field())), _importing([_REPORT])]:
        process.wait()


def _importing(modules: Iterable[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-c", f"import {', '.join(modules)}"],
        # What is imported here, and not another installation.
        env=os.environ | {"PYTHONPATH": str(files("bots").joinpath(os.pardir))},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for this process: they would print a traceback
    )


@functools.cache
def bot_class(name: str) -> type[Bot]:
    """Return the class of a bundled bot, to play it in this process.

    Raises:
        KeyError: If there is no bundled bot of that name.
    """
    module = importlib.import_module(_module(name))
    [found] = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Bot)
        and value.__module__ == module.__name__
    ]
    return found


def _module(name: str) -> str:
    return f"bots.{name}.bot" if bundled_bots()[name].is_dir() else f"bots.{name}"

"""Lists the bundled bots in a table."""

import ast
from functools import partial
from pathlib import Path

from arena.bot import Bot
from arena.player import Fault, InProcessPlayer
from arena.rules import Rules, view
from salvo.bundled import bot_class, bundled_bots
from salvo.reports.tables.table_text import Table

_YES = {True: "yes", False: "no"}


def bot_table(rules: Rules) -> Table:
    """Return the bundled bots, one a row: whether each plays the rules, and its idea.

    They introduce themselves in this process, which takes far less than to start each.
    """
    rows = []
    for name, path in bundled_bots().items():
        player = InProcessPlayer(partial(_make, name), view(rules))
        try:
            player.start()
        except Fault as fault:
            rows.append((name, "", "", "", f"cannot be played here: {fault.reason}"))
            continue
        told = player.introduction
        assert told is not None
        plays, default = _YES[told.plays], _YES[told.default_field]
        rows.append((name, told.version, plays, default, _idea(path)))
    return Table(("bot", "version", f"plays {rules.name}", "default field", "idea"), rows)


def _make(name: str) -> Bot:
    return bot_class(name)()


def _idea(path: Path) -> str:
    script = path / "bot.py" if path.is_dir() else path
    docstring = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
    return docstring.partition("\n")[0]

"""Bundled bots that used to have another name; older records keep and show the old one."""

import re
import shutil
from pathlib import Path

import click

from arena.errors import BotError

RENAMED = {"grid_search": "diagonal_search", "lookahead": "posterior_parity"}
"""The new name of each, by its old one."""

_BOT = re.compile(r"\s*(?:[^\s=/]+\s*=\s*)?(?P<word>\S+)")
"""The bundled name, path or program of a BOT, which may stand after NAME=."""

_Texts = str | tuple[str, ...] | None


def refuse_old_names(context: click.Context, parameter: click.Parameter, texts: _Texts) -> _Texts:
    """Return the BOTs of an argument or an option as they are: a callback for Click.

    Raises:
        BotError: If one is the old name of a bundled bot, and no file or program has that name.
    """
    del context, parameter
    for text in (texts,) if isinstance(texts, str) else texts or ():
        found = _BOT.match(text)
        word = found["word"] if found else ""
        if word in RENAMED and not Path(word).exists() and not shutil.which(word):
            raise BotError(f"bot '{word}': it is called '{RENAMED[word]}' now")
    return texts

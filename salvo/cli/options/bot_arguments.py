"""Makes arguments that name bots, and refuses names that bundled bots no longer have."""

import functools
import re
import shutil
from pathlib import Path
from typing import Any

import click

from arena.errors import BotError
from salvo.cli.options.completing import complete_bots

RENAMED = {"grid_search": "diagonal_search", "lookahead": "posterior_parity"}
"""The new name of each, by its old one, which older records keep and show."""

_BOT = re.compile(r"\s*(?:[^\s=/]+\s*=\s*)?(?P<word>\S+)")
"""The bundled name, path or program of a BOT, which may stand after NAME=."""

_Texts = str | tuple[str, ...] | None


def _refuse_old_names(_ctx: click.Context, _param: click.Parameter, texts: _Texts) -> _Texts:
    for text in (texts,) if isinstance(texts, str) else texts or ():
        found = _BOT.match(text)
        word = found["word"] if found else ""
        # A file or program may have such a name.
        if word in RENAMED and not Path(word).exists() and not shutil.which(word):
            raise BotError(f"bot '{word}': it is called '{RENAMED[word]}' now")
    return texts


_settings: dict[str, Any] = {"callback": _refuse_old_names, "shell_complete": complete_bots}
bot_argument = functools.partial(click.argument, **_settings)
bot_option = functools.partial(click.option, **_settings)

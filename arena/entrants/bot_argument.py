"""Parses a BOT as it is typed: NAME=, and the words of a command."""

import difflib
import json
import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from arena.errors import BotError

_NAMED = re.compile(r"\s*(?P<name>[^\s=/]+)\s*=\s*(?P<bot>.+)", re.DOTALL)


def parse_path(text: str, bundled: Mapping[str, Path]) -> tuple[str, Path]:
    """Return the file or folder that a BOT names, and its name in tables.

    Raises:
        BotError: If it names nothing, or has options.
    """
    name, words = split_bot(text)
    path = bot_path(words[0], words[1:], bundled)
    if path is None and shutil.which(words[0]) is None:
        raise unknown(words, bundled)
    if path is None or words[1:]:
        copy = "copy its file, " if words[0] in bundled else ""
        raise BotError(
            f"bot {text!r}: a league takes a file or a folder, not a command or options; "
            f"{copy}{_with_command(path, words)}, and name the bot alone"
        )
    return name or name_of(words[0], path, bundled), path


def _with_command(path: Path | None, words: Sequence[str]) -> str:
    """Return how a TOML holds the words of a BOT, of which the first may be a file or folder."""
    paths = (Path(word) for word in words if path is None)
    script = path or next((word for word in paths if word.is_file()), None)
    if script is None:
        return "write the command in a bot.toml"
    toml = "bot.toml" if script.is_dir() else f"{script.name}.toml"
    name = "bot.py" if script.is_dir() else script.name
    started = [name] if name.endswith(".py") or path else [words[0], name]
    options = words[1:] if path else words[words.index(str(script)) + 1 :]
    return f"write command = {json.dumps(shlex.join([*started, *options]))} in its {toml}"


def name_of(first: str, path: Path, bundled: Mapping[str, Path]) -> str:
    """Return the name that a file or folder has by itself, which the first word of a BOT names.

    Raises:
        BotError: If it has none, as the root folder.
    """
    if first in bundled:
        return first
    if not path.name:
        raise BotError(f"bot {first!r}: that is no bot; name a file, or a folder with a bot.py")
    return path.name if path.is_dir() else path.stem


def split_bot(text: str) -> tuple[str, list[str]]:
    """Return the name that a BOT is given, or nothing, and the words of its command."""
    # A path may hold spaces and equals signs: what is a file as it stands is nothing else.
    if text and exists(text):
        return "", [text]
    named = _NAMED.fullmatch(text)
    name, command = (named["name"], named["bot"]) if named else ("", text)
    if command and exists(command):
        return name, [command]
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BotError(f"bot {text!r}: {error}; check its quotation marks") from error
    if not words or not words[0]:
        raise BotError(f"bot {text!r}: it is empty; name a bot, `salvo bots` lists the bundled")
    return name, words


def exists(path: str) -> bool:
    """Return whether a word is the path of something."""
    try:
        return Path(path).exists()
    except OSError:  # too long for a path
        return False


def unknown(words: Sequence[str], bundled: Mapping[str, Path]) -> BotError:
    """Return the error that a BOT names nothing, with a guess at what was meant."""
    first = words[0]
    folder = Path(first).parent
    try:
        beside = [str(path) for path in sorted(folder.iterdir())]
    except PermissionError:
        return BotError(
            f"bot {shlex.join(words)!r}: folder {str(folder)!r} may not be read; ask for leave to "
            "read it, or name a copy"
        )
    except OSError:
        beside = []
    near = difflib.get_close_matches(first, [*bundled, *beside], n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    spaces = "a path with spaces needs quotation marks of its own; " if words[1:] else ""
    if any("=" in word and not word.startswith("-") for word in words[1:]):
        spaces = "NAME before = has no spaces; "
    return BotError(
        f"bot {shlex.join(words)!r}: no bundled bot, file or command is called {first!r}; "
        f"{hint}{spaces}`salvo bots` lists the bundled ones"
    )


def bot_path(first: str, options: Sequence[str], bundled: Mapping[str, Path]) -> Path | None:
    """Return the file or folder that the first word of a BOT names, or None for a command."""
    if first in bundled:
        return bundled[first]
    if exists(first):
        # The name is the one that was written, wherever a link under it leads.
        written = Path(os.path.abspath(first))  # noqa: PTH100 - resolve() follows links
        is_interpreter = options and str(written.parent) in os.get_exec_path()
        if not is_interpreter:
            return written
    return None

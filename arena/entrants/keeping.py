"""Copies of bots: all that is a bot's own, in a folder from which it plays as before.

What is copied is what its hash covers, so that the copy has the hash of the original.
"""

import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from arena.entrants.content import files_in
from arena.entrants.entrant import bot_path, split_bot
from arena.entrants.needs import Needs, read_needs
from arena.errors import BotError

__all__ = ["keep", "kept_bot"]

_HERE = "{bot}/"
"""How a word begins that names a file of the copy, wherever that lies."""


def keep(text: str, bundled: Mapping[str, Path], folder: Path) -> tuple[str, ...]:
    """Copy a bot into a folder.

    Args:
        text: A BOT, as ``parse_entrant`` takes it.
        bundled: The paths of the bundled bots, by name.
        folder: An empty folder.

    Returns:
        The words of the copy, for ``kept_bot``.

    Raises:
        BotError: If it names files that lie elsewhere, or cannot be copied.
    """
    _, [first, *options] = split_bot(text)
    path = bot_path(first, options, bundled)
    try:
        words = [first if path is None else _keep_bot(path.resolve(), folder)]
        words += [_keep_option(word, folder) for word in options]
    except OSError as error:
        raise BotError(f"bot {text!r}: it cannot be copied to {folder}: {error}") from error
    return tuple(words)


def kept_bot(words: Sequence[str], folder: Path) -> str:
    """Return the BOT that names a copy, where its folder lies now."""
    return shlex.join(
        str(folder / word.removeprefix(_HERE)) if word.startswith(_HERE) else word for word in words
    )


def _keep_bot(path: Path, folder: Path) -> str:
    """Copy the file or folder that is a bot, with what its TOML names beside it."""
    if path.is_dir():
        target, home, needs = folder / path.name, path, read_needs(path / "bot.toml")
        own: list[Path] = list(files_in(path))
    else:
        settings = path.with_name(f"{path.name}.toml")
        target, home, needs = folder, path.parent, read_needs(settings)
        own = [path, *([settings] if settings.exists() else [])]
    _copy([*own, *_named(needs, home)], home, target)
    return f"{_HERE}{path.name}"


def _named(needs: Needs, home: Path) -> Iterable[Path]:
    """Yield the files that a TOML names from its folder; a whole path is the machine's own."""
    for name in needs.files:
        if not Path(name).is_absolute():
            path = home / name
            yield from files_in(path) if path.is_dir() else [path]


def _copy(files: Iterable[Path], home: Path, target: Path) -> None:
    for file in files:
        place = target / file.relative_to(home)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, place)


def _keep_option(word: str, folder: Path) -> str:
    """Copy a file that an option names; return the word that names the copy."""
    path = Path(word)
    try:
        if not path.is_file():
            return word
    except OSError:  # too long for a path
        return word
    place = folder / path.name
    while place.exists():
        place = place.parent / "more" / place.name
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, place)
    return f"{_HERE}{place.relative_to(folder).as_posix()}"

"""What a BOT on the command line names."""

import difflib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from arena.entrants.content import digest, files_in
from arena.entrants.needs import Needs, read_needs
from arena.errors import BotError
from arena.isolation import Program

__all__ = ["NAME", "Entrant", "bot_path", "parse_entrant", "parse_entrants", "split_bot"]

NAME = re.compile(r"\w[\w .+-]{0,39}")
"""What tables can call a bot."""

_NAMED = re.compile(rf"(?P<name>{NAME.pattern})=(?P<bot>.+)", re.DOTALL)

_PYTHON = (sys.executable, "-P")
"""How a Python bot is started.

Without -P the bot's own folder would come first on the path of every import it makes, and a file
beside it named like a standard module would break them.
"""


class Entrant(Struct, frozen=True):
    """A bot under the name that tables call it by.

    Attributes:
        name: Its name in every table.
        program: How to start it.
        digest: The SHA-256 of its content: its options, its files, and what these import from
            this distribution.
    """

    name: str
    program: Program
    digest: str


def parse_entrants(texts: Iterable[str], bundled: Mapping[str, Path]) -> list[Entrant]:
    """Return the entrants that ``texts`` name, see ``parse_entrant``.

    Raises:
        BotError: If one names nothing playable, or two have one name.
    """
    entrants = [parse_entrant(text, bundled) for text in texts]
    names = [entrant.name for entrant in entrants]
    for name in names:
        if names.count(name) > 1:
            raise BotError(f"two bots are called '{name}'; give one another name: NAME=BOT")
    return entrants


def parse_entrant(text: str, bundled: Mapping[str, Path]) -> Entrant:
    """Return the entrant that a BOT names.

    Args:
        text: A bundled bot's name, a path, or a command, with options; NAME= may stand before it.
            An option that is the path of a file belongs to the bot: it may read it.
        bundled: The paths of the bundled bots, by name.

    Raises:
        BotError: If it names nothing playable.
    """
    try:
        text.encode()
        name, words = split_bot(text)
        entrant = _found(words[0], words[1:], bundled)
    except UnicodeEncodeError as error:
        raise BotError(f"bot {text!r}: its path is no UTF-8; rename it") from error
    except OSError as error:
        raise BotError(f"bot {text!r}: it cannot be read: {error}") from error
    if entrant is None:
        raise BotError(f"bot {text!r}: {_unknown(words, bundled)}")
    name = name or entrant.name
    if not NAME.fullmatch(name):
        raise BotError(
            f"bot {text!r}: {name!r} is no name for tables (letters, digits, and . + - _ or "
            "spaces inside, 40 at the most); give it another: NAME=BOT"
        )
    return Entrant(name, entrant.program, entrant.digest)


def split_bot(text: str) -> tuple[str, list[str]]:
    """Return the name that a BOT is given, or nothing, and the words of its command."""
    # A path may hold spaces and equals signs: what is a file as it stands is nothing else.
    if text and _exists(text):
        return "", [text]
    named = _NAMED.fullmatch(text)
    name, command = (named["name"].strip(), named["bot"]) if named else ("", text)
    if command and _exists(command):
        return name, [command]
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BotError(f"bot {text!r}: {error}; check its quotation marks") from error
    if not words or not words[0]:
        raise BotError(f"bot {text!r}: it is empty; name a bot, `salvo bots` lists the bundled")
    return name, words


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except OSError:  # too long for a path
        return False


def _unknown(words: list[str], bundled: Mapping[str, Path]) -> str:
    first = words[0]
    folder = Path(first).parent
    try:
        beside = [str(path) for path in sorted(folder.iterdir())]
    except OSError:
        beside = []
    near = difflib.get_close_matches(first, [*bundled, *beside], n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    spaces = "a path with spaces needs quotation marks of its own; " if words[1:] else ""
    return (
        f"no bundled bot, file or command is called {first!r}; "
        f"{hint}{spaces}`salvo bots` lists the bundled ones"
    )


def bot_path(first: str, options: list[str], bundled: Mapping[str, Path]) -> Path | None:
    """Return the file or folder that the first word of a BOT names, or None for a command."""
    if first in bundled:
        return bundled[first]
    if _exists(first):
        # The name is the one that was written, wherever a link under it leads.
        written = Path(os.path.abspath(first))  # noqa: PTH100 - resolve() follows links
        is_interpreter = options and str(written.parent) in os.get_exec_path()
        if not is_interpreter:
            return written
    return None


def _found(first: str, options: list[str], bundled: Mapping[str, Path]) -> Entrant | None:
    """Return the entrant under the name it has by itself, or None if there is no such bot."""
    path = bot_path(first, options, bundled)
    if path is not None:
        name = path.name if path.is_dir() else path.stem
        return _enter(_at_path(first if first in bundled else name, path), options)
    found = shutil.which(first)
    return _enter(_command(found, options), options) if found else None


class _Bot(Struct, frozen=True):
    """A bot before its options.

    Attributes:
        name: The name it has by itself.
        start: The command that starts it.
        folder: Where it is started.
        granted: The files and folders that it may read.
        hashed: The files whose content is its own, each under the name by which it knows it.
        needs: What else it needs.
        import_folder: The folder its own modules are imported from, if it is a folder of Python.
        interpreter: The name of the program that runs it, where the options say what is run.
    """

    name: str
    start: tuple[str, ...]
    folder: Path
    granted: tuple[Path, ...]
    hashed: tuple[tuple[str, Path], ...]
    needs: Needs = Needs()
    import_folder: str | None = None
    interpreter: str = ""


def _enter(bot: _Bot, options: list[str]) -> Entrant:
    """Return a bot with its options; those that name files are its own too."""
    files = {word: Path(word).resolve() for word in options if _is_file(Path(word))}
    program = Program(
        argv=(*bot.start, *(str(files.get(word, word)) for word in options)),
        folder=str(bot.folder),
        files=tuple(str(path) for path in (*bot.granted, *files.values())),
        import_folder=bot.import_folder,
        memory_mb=bot.needs.memory_mb,
        processes=bot.needs.processes,
    )
    words = (files[word].name if word in files else word for word in options)
    hashed = [*bot.hashed, *((path.name, path) for path in files.values())]
    return Entrant(bot.name, program, digest([bot.interpreter, *words], hashed))


def _at_path(name: str, path: Path) -> _Bot:
    path = path.resolve()
    if path.is_dir():
        script, settings, granted = path / "bot.py", path / "bot.toml", path
        own = [(file.relative_to(path).as_posix(), file) for file in files_in(path)]
    elif path.is_file():
        script, settings, granted = path, path.with_name(f"{path.name}.toml"), path
        own = [(f"bot{path.suffix}", path)]
        own += [("bot.toml", settings)] if settings.exists() else []
    else:
        raise BotError(f"bot {str(path)!r}: it is neither a file nor a folder")
    needs = read_needs(settings)
    if not needs.words and not script.is_file():
        raise BotError(
            f"bot {str(path)!r}: the folder has no bot.py, and no bot.toml with a command; "
            "add one, or name a file"
        )
    folder = settings.parent
    python = _PYTHON if script.suffix == ".py" else ()
    return _Bot(
        name=name,
        start=tuple(_place(word, folder) for word in needs.words) or (*python, str(script)),
        folder=folder,
        granted=(granted, *((folder / file).resolve() for file in needs.files)),
        hashed=(*own, *_named(needs, folder)),
        needs=needs,
        import_folder=str(path) if path.is_dir() else None,
    )


def _place(word: str, folder: Path) -> str:
    """Return a word of a command, as a whole path if it names a file of the folder."""
    return str(folder / word) if _is_file(folder / word) else word


def _named(needs: Needs, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files that a TOML names from its folder; a whole path names the machine's own."""
    for name in needs.files:
        path = folder / name
        if not Path(name).is_absolute():
            for file in files_in(path) if path.is_dir() else [path]:
                yield os.path.relpath(file, folder), file


def _command(found: str, options: list[str]) -> _Bot:
    """Return what an installed program makes of its options: mostly an interpreter of a file."""
    scripts = [Path(word) for word in options if _is_file(Path(word))]
    return _Bot(
        name=(scripts[0] if scripts else Path(found)).stem,
        start=(found,),
        folder=(scripts[0].resolve().parent if scripts else Path.cwd()),
        granted=(),
        hashed=(),
        interpreter=Path(found).name,
    )


def _is_file(path: Path) -> bool:
    return _exists(str(path)) and path.is_file()

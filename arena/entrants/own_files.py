"""Finds a bot's own files: those that it may read, that its hash covers, and that are copied.

Of a bot that is a folder it is all in it; of a bot that is the file ``clever.js`` it is that file,
``clever.js.toml``, and what that names of the folder ``clever.js.files``: other files beside it may
belong to another bot.
"""

import contextlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath

from msgspec import Struct

from arena.entrants.bot_argument import exists
from arena.entrants.folder import Folder, Item
from arena.entrants.needs import MAX_TOML_KB, SOFTWARE, Needs, Terms, parse_needs
from arena.errors import BotError

_SHOWN = 120
"""Characters of a word that a bot's author chose."""


class Own(Struct, frozen=True):
    """The files and requests of a bot, its folder open.

    Attributes:
        script: Its file; of a bot that is a folder ``bot.py``, which need not be there.
        words: The words of its command, those that name its own files as whole paths; none where
            it names no command.
        files: What it may read of its own, as whole paths.
        software: The installed software that it reads, as whole paths.
    """

    folder: Folder
    script: str
    is_folder: bool
    needs: Needs
    words: tuple[str, ...]
    items: list[Item]
    files: tuple[str, ...]
    software: tuple[str, ...]

    def label(self, item: Item) -> str:
        """Return the name under which an item is hashed: that of a bot's file does not count."""
        if self.is_folder:
            return item.name
        if item.name == f"{self.script}.toml":
            return "bot.toml"
        return f"bot{PurePath(self.script).suffix}{item.name.removeprefix(self.script)}"


@contextlib.contextmanager
def opened(path: Path, terms: Terms) -> Iterator[Own]:
    """Open a bot that is a file or folder, and find what is its own.

    Its path is no link, nor below one.

    Raises:
        BotError: If it holds or asks for what it cannot have.
        OSError: If it cannot be read.
    """
    mode = path.lstat().st_mode
    is_folder = stat.S_ISDIR(mode)
    if not is_folder and not stat.S_ISREG(mode):
        raise BotError(f"bot {str(path)!r}: it is neither a file nor a folder")
    script = "bot.py" if is_folder else path.name
    settings = "bot.toml" if is_folder else f"{script}.toml"
    beside = None if is_folder else (script, settings, f"{script}.files")
    # What the operator lets every bot read stays where it is, even in a bot's folder: mostly that
    # is a virtual environment.
    granted = map(Path, terms.grants)
    with Folder(path if is_folder else path.parent, beside, granted) as folder:
        needs = _needs(folder, settings)
        terms.refuse(needs, str(path))
        requests = _Requests(folder, settings, terms)
        names, software = requests.files(needs.files)
        basic = ["."] if is_folder else [script, settings]
        items = folder.items([*(name for name in basic if _is_there(folder, name)), *names])
        yield Own(
            folder=folder,
            script=script,
            is_folder=is_folder,
            needs=needs,
            words=tuple(requests.command(needs.words, items)),
            items=items,
            files=(str(path), *(() if is_folder else (str(folder.path / n) for n in names))),
            software=(*software, *_outside(items, path, terms)),
        )


def _is_there(folder: Folder, name: str) -> bool:
    return os.path.lexists(folder.path / name)


def _needs(folder: Folder, settings: str) -> Needs:
    if not _is_there(folder, settings):
        return Needs()
    where = f"bot file {str(folder.path / settings)!r}"
    found = [item for item in folder.items([settings]) if item.name == settings]
    if not found or found[0].link is not None:
        raise BotError(f"{where}: it is not a file; remove it")
    if found[0].size > MAX_TOML_KB * 1000:
        raise BotError(f"{where}: it has {found[0].size:,} bytes; the limit is {MAX_TOML_KB} KB")
    return parse_needs(b"".join(folder.read(found[0])), str(folder.path / settings))


def _outside(items: Iterable[Item], path: Path, terms: Terms) -> Iterator[str]:
    """Yield the installed software that links lead to which leave the folder."""
    for item in items:
        if item.link is not None and item.leaves:
            if not terms.reach(Path(item.link)):
                raise BotError(
                    f"bot {str(path)!r}: its link {item.name!r} leads out of its folder, to "
                    f"{item.link!r}; put a copy in its place, or let every bot "
                    "read that with --grant"
                )
            if not terms.grant(Path(item.link)):
                yield item.link


class _Requests(Struct, frozen=True):
    """Checks what a TOML names: the bot's own files, installed software, and what was granted."""

    folder: Folder
    settings: str
    terms: Terms

    def files(self, names: Iterable[str]) -> tuple[list[str], list[str]]:
        """Return what is named of the bot's own, from its folder, and of software, whole paths."""
        own: list[str] = []
        software: list[str] = []
        for name in names:
            place = self.folder.path / name
            if not exists(str(place)):
                raise self._refusal("files", f"there is no {_shown(name)}; name what is there")
            if ".." not in place.parts and self._is_own(name, place):
                own.append(os.path.normpath(name))
            else:
                paths = self._granted("files", name, place)
                software += [path for path in paths if not self.terms.grant(Path(path))]
        return own, software

    def command(self, words: tuple[str, ...], items: Iterable[Item]) -> Iterator[str]:
        """Yield the words of a command, those that name own files as whole paths."""
        hashed = {item.name for item in items}
        for index, word in enumerate(words):
            place = self.folder.path / word
            if not word or not exists(str(place)):
                # Only programs found on PATH need not be there.
                if index == 0 and "/" in word:
                    raise self._refusal("command", f"there is no {_shown(word)}")
                yield word
            elif self._is_own(word, place):
                if place.is_file():
                    self._refuse_left_out(word, place, hashed)
                yield str(place) if place.is_file() else word
            else:
                # By the path of the link Python knows a virtual environment.
                interpreter = self._in_environment(word, place)
                if interpreter is not None:
                    yield interpreter
                    continue
                paths = self._granted("command", word, place)
                yield str(place) if self._is_written_as_own(place) else paths[0]

    def _refuse_left_out(self, word: str, place: Path, hashed: set[str]) -> None:
        """Refuse a file that the hash does not cover, so that no bot ever has it."""
        real = place.resolve().relative_to(self.folder.path)
        if hashed.isdisjoint((os.path.normpath(word), str(real))):
            raise self._refusal(
                "command",
                f"{_shown(word)} is hidden, compiled Python or not named, and so not part of the "
                "bot; name it as files",
            )

    def _in_environment(self, word: str, place: Path) -> str | None:
        """Return the whole path of a virtual environment's interpreter, None if it is none.

        As its link alone leads to installed software, it could be followed; but what is started
        then finds nothing of what is installed in the environment.
        """
        written, real = Path(os.path.normpath(place)), place.resolve()
        environment, base = written.parent.parent, real.parent.parent
        if self._is_written_as_own(place) or not (environment / "pyvenv.cfg").is_file():
            return None
        of_arena = real.is_relative_to(os.path.realpath(sys.base_prefix))
        lacking = [
            *([] if self.terms.paths(environment) else [environment]),
            *([] if of_arena or self.terms.reach(real) else [base]),
        ]
        if lacking:
            raise self._refusal(
                "command",
                f"{_shown(word)} needs {' and '.join(map(str, lacking))}, which no bot may read; "
                f"let every bot read it with {' '.join(f'--grant {path}' for path in lacking)}",
            )
        return str(written)

    def _is_own(self, name: str, place: Path) -> bool:
        return not PurePath(name).is_absolute() and self.folder.owns(place.resolve())

    def _is_written_as_own(self, place: Path) -> bool:
        return ".." not in place.parts and self.folder.owns(place)

    def _granted(self, field: str, name: str, place: Path) -> list[str]:
        paths = self.terms.paths(place)
        if not paths:
            of_file = f" ({self.settings.removesuffix('.toml')}.files)"
            own = "" if self.settings == "bot.toml" else of_file
            raise self._refusal(
                field,
                f"{_shown(name)} lies neither in its own folder{own} nor where software is "
                f"installed ({', '.join(SOFTWARE)}); put it there, or let every bot read it "
                "with --grant",
            )
        return paths

    def _refusal(self, field: str, reason: str) -> BotError:
        return BotError(f"bot file {str(self.folder.path / self.settings)!r}, {field}: {reason}")


def _shown(word: str) -> str:
    return repr(word if len(word) <= _SHOWN else f"{word[:_SHOWN]}...")

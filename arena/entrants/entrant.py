"""Enters bots: how each is started, under which name, and the hash of what it is."""

import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from arena.bot import Bot
from arena.entrants.bot_argument import bot_path, exists, name_of, split_bot, unknown
from arena.entrants.bot_names import refuse_name
from arena.entrants.content import Source, digest
from arena.entrants.folder import Folder, Item
from arena.entrants.hashed_files import HashedFile
from arena.entrants.library import Library
from arena.entrants.needs import Terms
from arena.entrants.own_files import Own, opened
from arena.errors import BotError
from arena.isolation import Program

_PYTHON = (sys.executable, "-P")
"""The command that starts a Python bot.

Without -P the bot's own folder would come first on the path of every import it makes, and a file
beside it named like a standard module would break them.
"""

_OF_COMMAND = "--"
"""Stands before a Python file that a TOML's command begins with, whose options are the TOML's."""

_USUAL = Terms()


class Entrant(Struct, frozen=True):
    """A bot under the name that it has in tables.

    Attributes:
        digest: The SHA-256 of its content: its options, its files, and what these import from
            this distribution.
        own: Its files, as they were hashed; unknown of an entrant that was read from a record.
    """

    name: str
    program: Program
    digest: str
    own: tuple[HashedFile, ...] = ()

    @property
    def bot(self) -> Program | type[Bot]:
        """The program, which is what plays."""
        return self.program


def parse_entrant(
    text: str,
    bundled: Mapping[str, Path],
    terms: Terms = _USUAL,
    library: Library | None = None,
) -> Entrant:
    """Return the entrant that a BOT names.

    Args:
        text: A bundled bot's name, a path, or a command, with options; NAME= may stand before it.
            An option that is the path of a file belongs to the bot: it may read it.
        bundled: The paths of the bundled bots, by name. Every bot may import the packages that
            these are modules of.
        terms: What bots may be given.
        library: What they import, which several bots can share; else it is read anew.

    Raises:
        BotError: If it names nothing playable.
    """
    name, words = split_bot(text)
    return enter(name, words, bundled, terms, library)


def enter(
    name: str,
    words: Sequence[str],
    bundled: Mapping[str, Path],
    terms: Terms = _USUAL,
    library: Library | None = None,
) -> Entrant:
    """Return the entrant that the words of a BOT name, see ``parse_entrant``.

    Without ``name``, it has the name that the file, folder or program has by itself.

    Raises:
        BotError: If they name nothing playable.
    """
    text = shlex.join(words)
    first, *options = words
    try:
        library = library or Library.around(bundled)
        text.encode()
        path = bot_path(first, options, bundled)
        if path is not None:
            name = name or name_of(first, path, bundled)
            refuse_name(name, f"bot {text!r}")
            program, content, own = _at_path(path.resolve(), options, library, terms)
            # What is bundled does without, and most tournaments start it often.
            program = replace(program, proc=first not in bundled)
        else:
            found = shutil.which(first)
            if found is None:
                raise unknown(words, bundled)
            scripts = [Path(word) for word in options if _is_file(Path(word))]
            name = name or (scripts[0] if scripts else Path(found)).stem
            refuse_name(name, f"bot {text!r}")
            program, content, own = _command(found, scripts, options, library, terms)
    except UnicodeEncodeError as error:
        raise BotError(f"bot {text!r}: its path is not UTF-8; rename it") from error
    except OSError as error:
        raise BotError(f"bot {text!r}: it cannot be read: {error}") from error
    terms.refuse_untold(name, program.secrets)
    return Entrant(name, program, content, own)


_Entered = tuple[Program, str, tuple[HashedFile, ...]]
_Named = tuple[str, Folder, Item]
"""A file as it is hashed: the name that counts, and where it is read."""


def _at_path(path: Path, options: list[str], library: Library, terms: Terms) -> _Entered:
    with opened(path, terms) as own:
        has_script = any(item.name == own.script and item.link is None for item in own.items)
        if not own.words and not has_script:
            raise BotError(
                f"bot {str(path)!r}: the folder has no bot.py, and no bot.toml with a command; "
                "add one, or name a file"
            )
        home = own.folder.path
        program = Program(
            argv=_argv(own),
            folder=str(home),
            files=own.files,
            import_folder=str(path) if own.is_folder else None,
            memory_mb=own.needs.memory_mb,
            processes=own.needs.processes,
            temporary_mb=own.needs.temporary_mb,
            network=own.needs.addresses,
            secrets=own.needs.secrets,
            software=own.software,
            grants=terms.grants,
            packages=tuple(map(str, library.packages)),
        )
        sources = [(own.label(item), own.folder, item) for item in own.items]
        return _with_options(program, options, library, "", sources)


def _argv(own: Own) -> tuple[str, ...]:
    """Return the command of a file or folder; a Python file runs by Salvo's Python.

    In a TOML, the path of one with a slash is a program, which its first line says how to run.
    """
    script = str(own.folder.path / own.script)
    if not own.words:
        return (*(_PYTHON if own.script.endswith(".py") else ()), script)
    named = own.needs.words[0]
    is_own = named != own.words[0] and "/" not in named
    return (*((*_PYTHON, _OF_COMMAND) if is_own and named.endswith(".py") else ()), *own.words)


def _command(
    found: str, scripts: list[Path], options: list[str], library: Library, terms: Terms
) -> _Entered:
    """Return an installed program with its options: mostly an interpreter of a file."""
    program = Program(
        argv=(found,),
        folder=str(scripts[0].resolve().parent if scripts else Path.cwd()),
        files=(),
        grants=terms.grants,
        packages=tuple(map(str, library.packages)),
    )
    return _with_options(program, options, library, Path(found).name, [])


def _with_options(
    program: Program,
    options: list[str],
    library: Library,
    interpreter: str,
    sources: list[_Named],
) -> _Entered:
    """Return a program with its options, and its hash; those that name files are its own too."""
    files = {word: Path(word).resolve() for word in options if _is_file(Path(word))}
    words = [files[word].name if word in files else word for word in options]
    with ExitStack() as stack:
        for path in files.values():
            folder = stack.enter_context(Folder(path.parent, (path.name,)))
            sources += [(path.name, folder, item) for item in folder.items([path.name])]
        hashed = [
            Source(label, link=item.link)
            if item.link is not None
            else Source(label, folder.read(item))
            for label, folder, item in sources
        ]
        content, hashes = digest([interpreter, *words], hashed, library)
    with_options = replace(
        program,
        argv=(*program.argv, *(str(files.get(word, word)) for word in options)),
        files=(*program.files, *map(str, files.values())),
    )
    own = (
        HashedFile(str(folder.path), item, sha256)
        for (_, folder, item), sha256 in zip(sources, hashes, strict=True)
    )
    return with_options, content, tuple(own)


def _is_file(path: Path) -> bool:
    return exists(str(path)) and path.is_file()

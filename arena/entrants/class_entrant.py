"""Enters classes of bots that play in this process."""

import contextlib
import inspect
import linecache
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from arena.bot import Bot
from arena.entrants.bot_names import refuse_name
from arena.entrants.content import Source, digest
from arena.entrants.entrant import Entrant
from arena.entrants.library import Library
from arena.errors import BotError
from arena.isolation import Program


class ClassEntrant(Entrant, frozen=True, kw_only=True):
    """A bot that is a class of this process: it is trusted with all that this process can do."""

    bot_class: type[Bot]

    @property
    def bot(self) -> type[Bot]:
        """The class, which is what plays."""
        return self.bot_class


def enter_class(bot_class: type[Bot], library: Library) -> ClassEntrant:
    """Return a class of bots as an entrant under its own name.

    Its content is the file that defines it, or the cell of a notebook, and those of the classes
    it derives from, with what they import of Salvo. What else they use is not seen.

    Raises:
        BotError: If it is no class of bots, its name cannot be shown in tables, or its source is
            not found.
    """
    name = bot_class.__name__
    if not issubclass(bot_class, Bot):
        raise BotError(f"class {name}: it is no bot; derive it from arena.Bot")
    refuse_name(name, f"class {name}")
    words = [f"{name} {attribute}" for attribute in _attributes(bot_class)]
    sources = [Source(f"{label}.py", [text]) for label, text in _sources(bot_class)]
    content, _ = digest(["class", name, *words], sources, library)
    program = Program(argv=(), folder="", files=())
    return ClassEntrant(name, program, content, bot_class=bot_class)


def _attributes(bot_class: type[Bot]) -> Iterable[str]:
    plain = (bool, int, float, str, type(None))
    return sorted(
        f"{key}={value!r}"
        for key, value in vars(bot_class).items()
        if isinstance(value, plain) and not key.startswith("__")
    )


def _sources(bot_class: type[Bot]) -> Iterator[tuple[str, bytes]]:
    """Yield the source of a class and of each that it derives from, but for ``Bot`` itself."""
    for part in bot_class.__mro__:
        if part is Bot or part.__module__.partition(".")[0] in sys.stdlib_module_names:
            continue
        text = _source(part)
        if not text:
            raise BotError(
                f"class {part.__name__}: its source cannot be found, so nobody could tell "
                "whether it is the same bot again; write it to a file, or into a cell of a notebook"
            )
        yield part.__qualname__, text


def _source(part: type) -> bytes:
    """Return the file, or the cell of a notebook, that defines a class; nothing without one."""
    with contextlib.suppress(OSError, TypeError):
        return Path(inspect.getfile(part)).read_bytes()
    functions = [value for value in vars(part).values() if inspect.isfunction(value)]
    for function in functions:
        lines = linecache.getlines(function.__code__.co_filename)
        if lines:
            return "".join(lines).encode()
    return b""

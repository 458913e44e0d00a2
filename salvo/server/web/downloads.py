"""Reads what authors of bots download: the protocol, and a bot to begin with in each language."""

import functools
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Template as Text

from markupsafe import Markup
from msgspec import Struct

from salvo.server.web.markdown import rendered

_LANGUAGES = (
    ("Rows.java", "Java"),
    ("rows.c", "C"),
    ("rows.go", "Go"),
    ("rows.js", "JavaScript (Node)"),
    ("rows.py", "Python, without Salvo"),
    ("rows.rs", "Rust"),
    ("rows.sh", "bash"),
)


class Template(Struct, frozen=True):
    """A bot to begin with."""

    file: str
    language: str
    text: str


@functools.cache
def protocol() -> Markup:
    """Return the protocol as HTML."""
    return rendered(files("arena").joinpath("PROTOCOL.md").read_text(encoding="utf-8"))


@functools.cache
def templates() -> tuple[Template, ...]:
    """Return the bots, first the one that needs Salvo."""
    own = files("salvo").joinpath("cli", "templates", "bot.py.txt").read_text(encoding="utf-8")
    kit = Text(own).substitute(name="my_bot", class_name="MyBot")
    of_examples = examples()
    return (
        Template("my_bot.py", "Python", kit),
        *(
            Template(file, language, of_examples.joinpath(file).read_text(encoding="utf-8"))
            for file, language in _LANGUAGES
            if of_examples.joinpath(file).is_file()
        ),
    )


def examples() -> Traversable:
    """Return the folder of examples: a wheel has it in the package, a checkout beside it."""
    inside = files("salvo").joinpath("examples")
    return inside if inside.is_dir() else files("salvo").joinpath("..", "examples")

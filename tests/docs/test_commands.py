"""Commands in documents: a `console` block is run by a test, a `sh` block is there to be read.

Those to be read name a benchmark, or a command of Salvo and options, that exist.
"""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from benchmarks.__main__ import bench
from salvo.cli.main import salvo

ROOT = Path(__file__).parents[2]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / f"{room}/README.md" for room in ("benchmarks", "bots", "examples")),
    ROOT / "arena/PROTOCOL.md",
]
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^    (.*)$", re.MULTILINE)
CODE = re.compile(r"`([^`]+)`")
COMMAND = re.compile(
    r"\s*(\$ )?(salvo|python3?|pip|tox|git|curl|sudo|source|cc|dask|\.venv/\S+) \S"
)
PROGRAMS = {"salvo": salvo, "python -m benchmarks": bench}
FOLLOWING = [
    text
    for room in ("clients", "docs")
    for path in (ROOT / "tests" / room).glob("test_*.py")
    if "= follow(" in (text := path.read_text(encoding="utf-8"))
]
"""Tests that run the blocks of pages one after another."""


def has_commands(text: str) -> bool:
    return any(map(COMMAND.match, text.splitlines()))


def ids(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_a_block_of_commands_says_whether_tests_run_it(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    blocks = BLOCK.findall(text)
    unmarked = [body for language, body in blocks if not language and has_commands(body)]
    unmarked += filter(has_commands, INDENTED.findall(BLOCK.sub("", text)))
    assert unmarked == []
    if any(language == "console" for language, _ in blocks):
        assert any(f'"{page.name}"' in test for test in FOLLOWING)


def shown(page: Path) -> Iterator[str]:
    """Yield the commands that a page shows, in blocks to be read and within sentences."""
    text = page.read_text(encoding="utf-8")
    for language, body in BLOCK.findall(text):
        if language == "sh":
            yield from body.replace("\\\n", " ").splitlines()
    for span in CODE.findall(BLOCK.sub("", text)):
        yield from span.splitlines()


def unknown(command: click.Command, words: list[str]) -> list[str]:
    """Return the words that ``command`` has no subcommand or option for."""
    context = click.Context(command)
    if isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name, *rest = words
        if name.isupper():  # stands for any
            return []
        if name not in command.list_commands(context):
            return [name]
        below = command.get_command(context, name)
        assert below is not None
        return unknown(below, rest)
    parameters = command.get_params(context)
    known = {option for one in parameters for option in (*one.opts, *one.secondary_opts)}
    return [word for word in words if word.startswith("-") and word.partition("=")[0] not in known]


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_commands_to_be_read_exist_with_their_options(page: Path) -> None:
    wrong = []
    for line in shown(page):
        for program, command in PROGRAMS.items():
            _, found, arguments = line.partition(f"{program} ")
            if found and line.startswith((program, ".venv/bin/")):
                words = shlex.split(arguments, comments=True)
                wrong += [(line, word) for word in unknown(command, words)]
    assert wrong == []

"""Sources that are the same but for names and layout are found, and others are not."""

import ast
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from arena.league import League
from salvo.server.web.downloads import templates
from salvo.server.work.likeness import alike, shape, sources_of

Served = Any
MakeServer = Callable[..., Served]

BOT = '''
from arena import Bot, run


class Nearest(Bot):
    """Shoots near hits."""

    def game_begins(self):
        self.near = []

    def choose_shots(self, count):
        # What is near a hit comes first.
        cells = sorted(self.untried, key=lambda one: sum(abs(one - hit) for hit in self.hits))
        self.near.append(cells[0])
        return cells[:count]


run(Nearest)
'''
COPY = BOT.replace("Nearest", "Mine").replace("cells", "squares").replace("near", "close")
COPY = (
    COPY.replace("hit)", "hit )")
    .replace('    """Shoots close hits."""\n', "")
    .replace("    ", "\t")
)
COPY = COPY.replace("lambda one: sum(abs(one", "lambda c: sum(abs(c")


def test_other_names_comments_and_layout_make_no_other_shape() -> None:
    ast.parse(COPY)
    assert COPY != BOT
    assert shape("bot.py", COPY) == shape("bot.py", BOT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sum(abs", "max(abs"),
        ("cells[:count]", "cells[-count:]"),
        ("[0]", "[1]"),
        ("self.hits", "self.shot"),
        (".append(", ".remove("),
        ("one - hit", "hit - one * 2"),
        ("return cells", "pass; return cells"),
    ],
)
def test_what_does_something_else_has_another_shape(old: str, new: str) -> None:
    other = BOT.replace(old, new)
    assert other != BOT
    assert shape("bot.py", other) != shape("bot.py", BOT)


def test_bundled_bots_are_all_different() -> None:
    folder = Path(str(files("bots")))
    texts = {path: path.read_text(encoding="utf-8") for path in folder.glob("*.py")}
    assert len({shape("bot.py", text) for text in texts.values()}) == len(texts)


@pytest.mark.parametrize(
    "text", ["def (", "x = '''", "\tif\n  x", "(" * 100_000, "-" * 100_000 + "1", "\x00", "é" * 9]
)
def test_what_is_no_python_is_compared_as_text(text: str) -> None:
    assert shape("bot.py", f"{text}\n") == shape("bot.py", f"\n{text} ")


def test_other_languages_are_compared_but_for_white_space() -> None:
    assert shape("a.js", "let a = 1;\n\tb()") == shape("a.js", "let  a = 1; b()")
    assert shape("a.js", "let a = 1;") != shape("a.js", "let b = 1;")


@pytest.mark.long("many bots are submitted")
def test_operator_sees_who_is_alike_and_their_sources(
    league: Path, make_server: MakeServer
) -> None:
    served = make_server(league, "--public")
    codes = served.invite("Ada", "Bob", "Cleo", "Dan")
    bots = {"ada": BOT, "bob": COPY, "cleo": BOT, "dan": served.bot}
    for code, (name, text) in zip(codes, bots.items(), strict=True):
        done = served.checked(served.submit(name, text.encode(), code))
        assert done["state"] == "accepted", done
    page = served.get("/operate", served.key, Accept="text/html").text
    told = re.findall(r"<li>(\S+) and (\S+) are ([\w ]+):", page)
    assert told == [
        ("ada@1", "bob@1", "the same but for names and layout"),
        ("ada@1", "cleo@1", "the same"),
        ("bob@1", "cleo@1", "the same but for names and layout"),
    ]
    beside = "/operate/sources?bot=ada@1&bot=bob@1"
    shown = served.get(beside, served.key, Accept="text/html").text
    assert "class Nearest(Bot):" in shown
    assert "class Mine(Bot):" in shown
    for path, key, status in (
        (beside, None, 403),
        (beside, codes[0], 403),
        ("/operate/sources", served.key, 404),
        ("/operate/sources?bot=nobody@1", served.key, 404),
        ("/operate/sources?bot=hunt_target@1", served.key, 200),
    ):
        assert served.get(path, key, Accept="text/html").status == status


def test_bots_as_they_were_handed_out_are_not_named(league: Path) -> None:
    [template] = [one for one in templates() if one.file == "my_bot.py"]
    members = League(league, None, {})
    for name, more in (
        ("ada", ""),
        ("bob", "# mine\n"),
        ("cleo", "\n\nprint()\n"),
        ("dan", "\nprint( )\n"),
    ):
        bot = league.parent / f"{name}.py"
        bot.write_text(template.text + more, encoding="utf-8")
        with members.candidate(bot, name) as candidate:
            members.admit(candidate)
    invites = {name: number for number, name in enumerate(("ada", "bob", "cleo", "dan"))}
    [pair] = alike(members, invites, [(one.file, one.text) for one in templates()])
    assert (pair.one, pair.other, pair.same) == ("cleo@1", "dan@1", False)


def test_of_many_and_large_files_the_smallest_are_read(league: Path) -> None:
    bot = league.parent / "large"
    bot.mkdir()
    (bot / "bot.py").write_text(BOT, encoding="utf-8")
    for number in range(100):
        (bot / f"part{number}.py").write_text("x = (1, 2)\n" * 15_000, encoding="utf-8")
    members = League(league, None, {})
    with members.candidate(bot, "large") as candidate:
        entry = members.admit(candidate)
    sources = sources_of(members, entry)
    assert "large/bot.py" in sources
    assert sum(map(len, sources.values())) <= 1_000_000
    assert alike(members, {}) == []

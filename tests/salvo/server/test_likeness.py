"""Sources that are the same but for names and layout are found, and others are not."""

import ast
import re
import shutil
import tarfile
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
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


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("", ""),
        ("# nothing\n", ""),
        ("import os\nx = os.path\n", "import os NEWLINE name0 = os . path NEWLINE"),
        ("from a import b\nb.c(d)\n", "from a import b NEWLINE b . c ( name0 ) NEWLINE"),
        ("x = 1; import y\n", "name0 = 1 ; import name1 NEWLINE"),
        ("self.x = y.x\n", "name0 . name1 = name2 . x NEWLINE"),
        (
            'def f(x):\n    """Doc."""\n\n    return "text"',
            'def name0 ( name1 ) : NEWLINE INDENT return "text" NEWLINE DEDENT',
        ),
        ('"alone"\n"a" + x\n', '"a" + name0 NEWLINE'),
        ("len(hits)\nb = hits\n", "len ( hits ) NEWLINE name0 = hits NEWLINE"),
    ],
)
def test_shape_of_python_has_its_own_names_by_number_and_no_texts_that_stand_alone(
    text: str, same: str
) -> None:
    assert shape("bot.py", text) == same


def test_python_is_split_into_tokens_up_to_a_size() -> None:
    for size, kept in ((65_536, False), (65_537, True)):
        text = "x = 1 #".ljust(size, "y")
        assert ("#" in shape("bot.py", text)) == kept
    assert shape("bot.pyc", "x = 1 # a") == "x = 1 # a"


class Copies:
    """The copies of bots in a folder, as a league has them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.storage, self.entries = folder, self, list[Any]()

    def home(self, digest: str) -> Path:
        return self.folder / digest

    def enter(self, bot: str, digest: str, text: str, file: str = "bot.py") -> None:
        """Enter a version whose copy has one file."""
        name, _, number = bot.partition("@")
        digest = f"{self.folder}/{digest}"
        Path(digest).mkdir(exist_ok=True)
        (Path(digest) / file).write_text(text, encoding="utf-8")
        self.entries.append(
            SimpleNamespace(name=name, full_name=bot, version=int(number), digest=digest)
        )


@pytest.mark.parametrize("is_packed", [False, True])
def test_sources_are_texts_of_200_kb_at_most_and_a_megabyte_in_all(
    tmp_path: Path,
    is_packed: bool,  # noqa: FBT001 - a case
) -> None:
    home = tmp_path / "home"
    (home / "lib").mkdir(parents=True)
    contents = {
        "bot.py": b"x = '\xff'\n",
        "lib/large.py": b"x" * 200_000,
        "larger.py": b"x" * 200_001,
        "weights": b"1\0",
        **{f"part{number}.py": b"y" * 200_000 for number in range(3)},
        "rest.py": b"z" * (200_000 - 10),  # with the first, and the weights, a megabyte
        "too_much.py": b"z" * 200_000,
    }
    for name, content in contents.items():
        (home / name).write_bytes(content)
    (home / "link.py").symlink_to(home / "bot.py")
    if is_packed:
        with tarfile.open(tmp_path / "home.tar.gz", "w:gz") as archive:
            for path in sorted(home.rglob("*")):
                archive.add(path, path.relative_to(home), recursive=False)
        shutil.rmtree(home)
    entry: Any = SimpleNamespace(digest="home")
    league: Any = Copies(tmp_path)
    found = sources_of(league, entry)
    assert found["bot.py"] == "x = '\ufffd'\n"
    assert sum(len(text) for text in found.values()) == 1_000_000 - 2
    names = {"bot.py", "lib/large.py", "part0.py", "part1.py", "part2.py", "rest.py", "too_much.py"}
    assert set(found) < names
    assert len(found) == 6
    assert list(found) == sorted(found)


def test_alike_are_versions_of_different_authors_as_they_were_entered(tmp_path: Path) -> None:
    league: Any = Copies(tmp_path)
    league.enter("ada@1", "one", "x = 1\n")
    league.enter("bob@1", "one", "x = 1\n")
    league.enter("ada@2", "two", "y = 1\n")
    league.enter("dan@1", "three", "z = 1  # mine\n")
    league.enter("operators@1", "four", "other(1)\n")
    league.enter("cleo@1", "five", "another(1)\n")
    league.enter("given@1", "six", "given = 7\n")
    league.enter("given2@1", "seven", "given = 7\n")
    for number, name in enumerate(("eve@1", "fay@1")):
        league.enter(name, f"words{number}", "the same", "bot.toml")
    for name in ("gone@1", "lost@1"):
        league.enter(name, name, "x = 1\n")
        shutil.rmtree(tmp_path / name)
    owned = {"ada": 1, "dan": 1, "bob": 2, "cleo": 3, "given": 4, "eve": 6, "fay": 7, "gone": 8}
    found = [(one.one, one.other, one.same) for one in alike(league, owned, [("a.py", "b = 7")])]
    assert found == [
        ("ada@1", "bob@1", True),
        ("bob@1", "ada@2", False),
        ("bob@1", "dan@1", False),
        ("operators@1", "cleo@1", False),
    ]

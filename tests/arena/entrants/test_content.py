"""The hash of a bot covers its content."""

import subprocess
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest

from arena.entrants import library, parse_entrant
from arena.entrants.content import Source
from arena.entrants.content import digest as digest_of
from salvo.bundled import bundled_bots

Digest = Callable[[str], str]


@pytest.fixture
def digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Digest:
    """Return a function that hashes what a BOT names, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    bundled = {"plain": tmp_path / "site" / "bots" / "plain.py"}
    return lambda text: parse_entrant(text, bundled).digest


def write(path: str, data: str | bytes) -> Path:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data.encode() if isinstance(data, str) else data)
    return file


def test_hash_is_of_the_content_and_not_of_the_place_or_name(digest: Digest) -> None:
    for path in ("mine.py", "elsewhere/other.py", "a b/c.py"):
        write(path, "x = 1")
    assert digest("mine.py") == digest("elsewhere/other.py") == digest("'a b/c.py'")
    assert digest("mine.py") == digest(f"named={Path('mine.py').resolve()}")


def test_hash_of_a_command_does_not_depend_on_where_it_is_given(
    digest: Digest, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("sub/rows.js", "1")
    outside = digest("sh sub/rows.js")
    monkeypatch.chdir("sub")
    assert digest("sh rows.js") == outside


def test_hash_covers_the_file_its_kind_and_its_options(digest: Digest) -> None:
    write("a.py", "x = 1")
    write("b.py", "x = 2")
    write("a.rb", "x = 1")
    texts = ["a.py", "b.py", "a.rb", "a.py --fast", "a.py -- fast", "sh a.py", "cat a.py"]
    assert len({digest(text) for text in texts}) == len(texts)


def test_hash_covers_every_file_of_a_folder_but_hidden_and_compiled_ones(digest: Digest) -> None:
    write("team/bot.py", "x = 1")
    digests = [digest("team")]
    for path in ("team/weights.bin", "team/deep/down.txt", "team/deep/down2.txt"):
        write(path, b"\0\xff")
        digests.append(digest("team"))
    Path("team/weights.bin").rename("team/weights2.bin")
    digests.append(digest("team"))
    assert len(set(digests)) == len(digests)
    for path in ("team/.git/index", "team/__pycache__/bot.pyc", "team/.hidden"):
        write(path, b"1")
        assert digest("team") == digests[-1]


def test_hash_of_a_folder_moves_with_it(digest: Digest) -> None:
    write("team/bot.py", "x = 1")
    write("team/deep/down.txt", "1")
    before = digest("team")
    Path("team").rename("moved")
    assert digest("moved") == before


def test_hash_covers_what_a_link_in_a_folder_leads_to(digest: Digest) -> None:
    write("team/bot.py", "x = 1")
    target = write("team/.store/weights.bin", b"1")
    Path("team/weights.bin").symlink_to(target.resolve())
    Path("team/broken").symlink_to("nowhere")
    Path("team/round").symlink_to(".")
    before = digest("team")
    write("team/.store/weights.bin", b"2")
    assert digest("team") != before


def test_hash_covers_where_a_link_to_a_folder_leads(digest: Digest) -> None:
    for path in ("team/bot.py", "team/v1/w", "team/v2/w"):
        write(path, "x = 1")
    digests = set()
    for target in ("v1", "v2"):
        Path("team/latest").unlink(missing_ok=True)
        Path("team/latest").symlink_to(target)
        digests.add(digest("team"))
    assert len(digests) == 2


@pytest.mark.parametrize(
    "data",
    [
        b"# -*- coding: latin-1 -*-\nx = '\xe9'",
        b"\xff\xfe\0",
        b"x = (",
        b"x = '\\d'",
        b"\0",
        b"(" * 5000,
        b"-" * 100_000 + b"1",
    ],
    ids=["latin-1", "no text", "unfinished", "bad escape", "nul", "nested", "very nested"],
)
def test_file_that_is_not_valid_python_is_hashed_anyway(digest: Digest, data: bytes) -> None:
    write("odd.py", data)
    write("other.py", data + b"#")
    assert digest("odd.py") != digest("other.py")


@pytest.fixture
def distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, digest: Digest) -> Path:
    """Return a folder that stands for where this distribution is installed."""
    del digest
    files = {
        "arena/__init__.py": "from arena.bot import Bot",
        "arena/bot.py": "import arena.protocol, json",
        "arena/protocol.py": "",
        "arena/referee.py": "",
        "bots/__init__.py": "",
        "bots/tactics/__init__.py": "",
        "bots/tactics/tracking/__init__.py": "from bots.tactics.tracking.grid import grid",
        "bots/tactics/tracking/grid.py": "",
        "bots/tactics/tracking/table.npy": "1",
        "bots/tactics/tracking/.notes": "",
        "bots/tactics/tracking/more/table.npy": "1",
        "arena/PROTOCOL.md": "",
        "bots/tactics/placement_counts/__init__.py": "",
    }
    for path, text in files.items():
        write(f"site/{path}", text)
    monkeypatch.setattr(library, "_ARENA", tmp_path / "site" / "arena")
    return tmp_path / "site"


@pytest.mark.parametrize(
    ("changed", "counts"),
    [
        ("arena/bot.py", True),
        ("arena/protocol.py", True),
        ("arena/referee.py", False),
        ("bots/tactics/tracking/grid.py", True),
        ("bots/tactics/tracking/table.npy", True),
        ("bots/tactics/placement_counts/__init__.py", False),
        ("bots/tactics/tracking/.notes", False),
        ("bots/tactics/tracking/more/table.npy", False),
        ("arena/PROTOCOL.md", False),
    ],
)
def test_hash_covers_what_a_bot_imports_from_here_however_deep_and_nothing_else(
    digest: Digest, distribution: Path, changed: str, *, counts: bool
) -> None:
    write("mine.py", "def late():\n    from bots.tactics import tracking\nfrom arena import Bot")
    before = digest("mine.py")
    (distribution / changed).write_text("changed", encoding="utf-8")
    assert (digest("mine.py") != before) is counts


def test_hash_does_not_depend_on_where_this_distribution_lies(
    digest: Digest, distribution: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("mine.py", "import bots.tactics.tracking")
    before = digest("mine.py")
    moved = distribution.rename(distribution.with_name("moved"))
    monkeypatch.setattr(library, "_ARENA", moved / "arena")
    assert parse_entrant("mine.py", {"plain": moved / "bots" / "plain.py"}).digest == before


def test_packages_are_those_of_the_bundled_bots_and_no_others(
    digest: Digest, distribution: Path
) -> None:
    write("mine.py", "import bots.tactics.tracking")
    before = parse_entrant("mine.py", {})
    assert before.program.packages == ()
    assert before.digest != digest("mine.py")
    tracking = distribution / "bots" / "tactics" / "tracking"
    bundled = {"plain": distribution / "bots" / "plain.py", "deep": tracking / "deep.py"}
    assert parse_entrant("mine.py", bundled).program.packages == (str(distribution / "bots"),)


def test_modules_of_others_are_not_looked_for(digest: Digest) -> None:
    write("mine.py", "import numpy, os.path\nfrom . import nothing\nfrom armada import fleet")
    assert digest("mine.py")


def test_bundled_bots_all_have_hashes_of_their_own() -> None:
    folder = Path(str(resources.files("bots")))
    bundled = {path.stem: path for path in folder.glob("*.py") if path.name != "__init__.py"}
    digests = {parse_entrant(name, bundled).digest for name in bundled}
    assert len(digests) == len(bundled)


def test_hash_is_the_same_in_every_process(digest: Digest) -> None:
    write("mine.py", "from arena import Bot, run")
    program = "from arena.entrants import parse_entrant; print(parse_entrant('mine.py', {}).digest)"
    run = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, check=True)
    assert run.stdout.decode().strip() == digest("mine.py")


def test_bots_that_are_entered_together_have_the_content_that_they_have_alone() -> None:
    bundled = bundled_bots()
    shared = library.Library.around(bundled)
    together = [parse_entrant(name, bundled, library=shared).digest for name in bundled]
    assert together == [parse_entrant(name, bundled).digest for name in bundled]
    assert len(set(together)) == len(bundled)


def test_hash_of_a_content_stays_what_it_was() -> None:
    # Else a league would take each of its bots for another.
    sources = [
        Source("bot.py", [b"print(", b"1)\n"]),
        Source("data/caf\u00e9.bin", [b"\x00\xff"]),
        Source("empty"),
        Source("link", link="data"),
    ]
    content, hashes = digest_of(["", "--depth", "3"], sources, library.Library([]))
    assert content == "48ca946533d974771d61eac0df087ee53664387f098c46725afbd4a72ad7eb0e"
    assert hashes == (
        "cc42155088fca5730758db72b2a5bca33112a941dfaa2d43098ec422ce4ea213",
        "06eb7d6a69ee19e5fbdf749018d3d2abfa04bcbd1365db312eb86dc7169389b8",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "",
    )

"""Whom a visitor may meet, and how the face and the wheel of a league are made of files."""

import base64
import hashlib
import io
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request

from arena.league import League
from salvo.server import clock
from salvo.server.database.keys import Key, Visitor
from salvo.server.database.server_database import Database
from salvo.server.database.unstartable import set_unstartable
from salvo.server.errors import Refusal
from salvo.server.web import face, wheel
from salvo.server.web.face import Face, FaceOf
from salvo.server.web.handling import address_of, number_of
from salvo.server.web.opponents import Opponent, opponents

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
ADA = Visitor((Key(1, "author", "", "ada"),))
INVITED = Visitor((Key(7, "submit", "", None),))
REFUSED = Visitor((Key(8, "submit", "", "late"),))
READER = Visitor((Key(9, "read", "", None),))


@pytest.fixture(scope="module", autouse=True)
def _sandbox() -> None:
    """Nothing is started here."""


def league(*, rivals: bool = True, closes: datetime | None = None) -> League:
    """Return what stands in for a league of the bots of five authors and of the operator."""
    names = ("zoe", "hunt", "ada", "bob", "cy", "dee", "classic")
    field = [SimpleNamespace(name=name, full_name=f"{name}@2") for name in names]
    charter = SimpleNamespace(rivals=rivals, opens=None, closes=closes, tournaments=())
    found: Any = SimpleNamespace(field=field, charter=charter)
    return found  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("visitor", "members", "closed", "met"),
    [
        (ADA, league(), "", "classic, hunt, own ada, rival bob, rival zoe"),
        (ADA, league(rivals=False), "", "classic, hunt, own ada"),
        (ADA, league(closes=NOON), "", "classic, hunt, own ada"),
        (
            ADA,
            league(closes=NOON + timedelta(seconds=1)),
            "",
            "classic, hunt, own ada, rival bob, rival zoe",
        ),
        (ADA, league(), "there is no sandbox", "classic, hunt"),
        (INVITED, league(), "", "classic, hunt, own bob, rival ada, rival zoe"),
        (REFUSED, league(), "", "classic, hunt"),
        (READER, league(), "", "classic, hunt"),
        (Visitor(), league(), "", "classic, hunt"),
    ],
)
def test_operators_bots_are_met_by_all_own_ones_by_their_author_and_rivals_while_it_is_open(  # noqa: PLR0913, PLR0917 - a case
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    visitor: Visitor,
    members: League,
    closed: str,
    met: str,
) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOON)
    with Database(tmp_path) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        rows = [("ada", 1, 0), ("bob", 7, 0), ("cy", 3, 1), ("dee", 4, 0), ("zoe", 5, 0)]
        db.executemany("INSERT INTO names VALUES (?, ?, ?)", rows)
        set_unstartable(db, {"dee@2": "why", "zoe@1": "why"})
        found = opponents(db, members, visitor, closed=closed)
    told = [one.name if one.kind == "bundled" else f"{one.kind} {one.name}" for one in found]
    assert ", ".join(told) == met
    assert found[0] == Opponent("classic", "classic@2", "bundled")


@pytest.mark.parametrize(
    ("text", "title", "html"),
    [
        ("# The *league* #\n\nWords.\n", "The *league*", "<p>Words.</p>"),
        ("\n  # Late \nWords.", "Late", "<p>Words.</p>"),
        ("Words.\n\n# Not first", "folder", '<p>Words.</p>\n<h2 id="not-first">Not first</h2>'),
        ("#tag", "folder", "<p>#tag</p>"),
        ("", "folder", ""),
        (None, "folder", ""),
    ],
)
def test_face_is_the_title_and_the_text_of_a_file(
    tmp_path: Path, text: str | None, title: str, html: str
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    if text is not None:
        (folder / "about.md").write_text(text)
    of = FaceOf(folder)
    assert of() == Face(title, html)  # type: ignore[arg-type]
    assert (of.stamp == 0) == (text is None)


def test_face_is_read_again_once_its_file_was_changed_and_no_further_than_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = FaceOf(tmp_path)
    stamp = [1]
    monkeypatch.setattr(FaceOf, "stamp", property(lambda _: stamp[0]))
    monkeypatch.setattr(face, "_MOST_BYTES", 5)
    (tmp_path / "about.md").write_text("# One two")
    assert of().title == "One"
    (tmp_path / "about.md").write_text("# Six")
    assert of().title == "One"
    stamp[0] = 2
    assert of().title == "Six"


class Installed:
    """A distribution of a few files."""

    version = "1.2.3"

    def __init__(self, folder: Path) -> None:
        about = "salvo_arena-1.2.3.dist-info"
        names = ("METADATA", "entry_points.txt", "licenses/LICENSE", "RECORD", "INSTALLER")
        self.files = [self._file(folder, f"{about}/{name}") for name in names]
        self.files.append(self._file(folder, "salvo/METADATA"))

    def _file(self, folder: Path, name: str) -> Any:  # noqa: ANN401 - a path of a package
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
        return SimpleNamespace(parts=Path(name).parts, read_binary=path.read_bytes)


def test_wheel_has_the_packages_what_is_said_of_them_and_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package"
    for name in ("a.py", "inner/b.txt", ".hidden", "__pycache__/a.pyc"):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(name)
    monkeypatch.setattr(wheel, "_PACKAGES", ("arena",))
    monkeypatch.setattr(wheel, "files", lambda _: package)
    monkeypatch.setattr(wheel, "examples", lambda: package / "inner")
    installed: Any = Installed(tmp_path / "site")
    made, again = wheel.Wheel(installed), wheel.Wheel(installed)
    assert made.file == "salvo_arena-1.2.3-py3-none-any.whl"
    assert made.data == again.data
    assert made.sha256 == hashlib.sha256(made.data).hexdigest()
    about = "salvo_arena-1.2.3.dist-info"
    with zipfile.ZipFile(io.BytesIO(made.data)) as archive:
        assert archive.testzip() is None
        read = archive.read
        infos = archive.infolist()
        assert [one.filename for one in infos] == [
            "arena/a.py",
            "arena/inner/b.txt",
            "salvo/examples/b.txt",
            *(f"{about}/{name}" for name in ("METADATA", "WHEEL", "entry_points.txt")),
            f"{about}/licenses/LICENSE",
            f"{about}/RECORD",
        ]
        for one in infos:
            assert one.date_time == (1980, 1, 1, 0, 0, 0)
            assert (one.external_attr, one.compress_type) == (0o644 << 16, zipfile.ZIP_DEFLATED)
        assert read("arena/inner/b.txt") == b"inner/b.txt"
        assert read(f"{about}/METADATA") == f"{about}/METADATA".encode()
        digest = base64.urlsafe_b64encode(hashlib.sha256(b"a.py").digest()).decode()
        rows = read(f"{about}/RECORD").decode().split("\n")
        assert rows[0] == f"arena/a.py,sha256={digest.rstrip('=')},4"
        assert rows[-2:] == [f"{about}/RECORD,,", ""]


def asked(query: str, **scope: object) -> Request:
    named = {"headers": [(b"host", b"here:81")], "query_string": query.encode()}
    return Request({"type": "http"} | named | scope)


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("", 5),
        ("most=1", 1),
        ("most=007", 7),
        ("most=10", 10),
        ("most=11", None),
        ("most=0", None),
        ("most=-1", None),
        ("most=", None),
        ("most=1.0", None),
        ("most=000000000000001", 1),
        ("most=0000000000000001", None),
    ],
)
def test_number_in_a_query_is_whole_and_within_limits(query: str, number: int | None) -> None:
    if number is not None:
        assert number_of(asked(query), "most", 5, 10) == number
        return
    with pytest.raises(Refusal, match="is not a whole number from 1 to 10") as refusal:
        number_of(asked(query), "most", 5, 10)
    assert refusal.value.status == 400


def test_links_lead_to_the_address_by_which_the_server_is_called() -> None:
    assert address_of(asked("", secure=False)) == "http://here:81"
    assert address_of(asked("", secure=True)) == "https://here:81"

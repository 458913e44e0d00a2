"""The face of a league: what a visitor without a right sees, and the wheel that all may have."""

import base64
import hashlib
import io
import os
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route, Router

from salvo.server.database.keys import add_key
from salvo.server.database.server_database import Database
from tests.salvo.server.asking import Site

Served = Any
MakeServer = Callable[..., Served]

ABOUT = """# The autumn *league*

Thursdays at **ten**, in room 7. [Rules](https://example.org/rules)

<script>alert(1)</script>
"""

HTML = {"accept": "text/html"}


@pytest.fixture
def private(league: Path) -> Site:
    """Return a league that only those may read who were invited."""
    return Site(league, public=False)


@pytest.fixture
def key(league: Path) -> str:
    """Return the key of its operator."""
    with Database(league) as db:
        return add_key(db, "operate")


def test_stranger_sees_what_it_is_and_how_to_get_in(private: Site) -> None:
    (private.league / "about.md").write_text(ABOUT, encoding="utf-8")
    for path in ("/", "/games", "/bots/hunt_target", "/data"):
        page = private.ask(path, **HTML)
        assert page.status == 401
        assert "<h1>The autumn *league*</h1>" in page.text
        assert "Thursdays at <strong>ten</strong>, in room 7." in page.text
        assert "<script>alert" not in page.text
        assert "&lt;script&gt;" in page.text
        assert 'action="/enter"' in page.text
        assert page.text.count("<nav") == 0
        assert "hunt_target" not in page.text
    refusal = private.ask("/api/standings")
    assert refusal.status == 401
    assert "not public" in refusal.json["error"]


OPEN = re.compile(
    r"/(static/.*|enter|signed-in|held|salvo_arena-.*\.whl|api/openapi\.json|leave|submit|mine)"
)
"""What strangers may ask a private league for: how it looks, how to get in, what it is made of."""

OF_SOME = re.compile(r"/(operate.*|mine/.*|challenge|embed/.*)|/api/operate.*")
"""What those who read are refused as well."""

SECRET = re.compile(r"/(entered|submissions|api/submissions)/1")
"""Whoever knows this address may see it."""


def routes_of(league: Path, method: str) -> list[str]:
    """Return the addresses of a league that answer a method, with something for each name."""
    router = Site(league).app._app
    assert isinstance(router, Router)
    return [
        re.sub(r"\{.*?\}", "1", route.path.replace("{name}", "hunt_target"))
        for route in router.routes
        if isinstance(route, Route) and method in (route.methods or ())
    ]


def test_nothing_but_the_way_in_is_answered_without_a_key(private: Site) -> None:
    asked = [path for path in routes_of(private.league, "GET") if not OPEN.fullmatch(path)]
    assert len(asked) > 30
    for path in asked:
        refused = 403 if OF_SOME.fullmatch(path) else 404 if SECRET.fullmatch(path) else 401
        assert (path, private.ask(path).status) == (path, refused)
    for path in ("/submit", "/mine"):
        assert "hunt_target" not in private.ask(path, **HTML).text


def test_face_changes_with_its_file(private: Site, key: str) -> None:
    assert "<h1>league</h1>" in private.ask("/", **HTML).text
    assert "document" not in private.ask("/", key=key, **HTML).text
    about = private.league / "about.md"
    about.write_text("# One\n\nFirst text.\n", encoding="utf-8")
    mine = private.ask("/", key=key, **HTML).text
    assert "First text." in mine
    assert "- One</title>" in mine
    about.write_text("Only text.\n", encoding="utf-8")
    os.utime(about, ns=(time.time_ns() + 10**9,) * 2)
    mine = private.ask("/", key=key, **HTML).text
    assert "Only text." in mine
    assert "First text." not in mine
    assert "- league</title>" in mine
    about.write_bytes(b"# \xff\xfe\n" + b"x" * 100_000)
    os.utime(about, ns=(time.time_ns() + 2 * 10**9,) * 2)
    page = private.ask("/", key=key, **HTML)
    assert page.status == 200
    assert len(page.text) < 100_000


@pytest.mark.long("pip installs into an environment of its own")
def test_page_says_how_to_install_the_version_that_plays_here(
    paused_league: Path, make_server: MakeServer, tmp_path: Path
) -> None:
    private = make_server(paused_league)
    page = private.get("/write", private.key, **HTML).text
    found = re.search(
        r"pip install &#34;(http://\S+/(salvo_arena-\S+\.whl)#sha256=(\w{64}))&#34;", page
    )
    assert found is not None, page
    address, file, sha256 = found.groups()
    # Without a key, since pip has none.
    wheel = private.get(f"/{file}")
    assert wheel.status == 200
    assert hashlib.sha256(wheel.body).hexdigest() == sha256
    target = tmp_path / "target"
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    words = ("install", "--no-index", "--no-deps", "--quiet", "--target", str(target), address)
    subprocess.run([str(environment / "bin" / "python"), "-m", "pip", *words], check=True)
    # It plays by itself: nothing of it is taken from where this test runs.
    code = "import arena, bots, salvo; print(arena.__file__, bots.__file__, salvo.__file__)"
    # What runs there is a copy, and none of the code whose coverage is measured.
    variables = {name: value for name, value in os.environ.items() if "COVERAGE" not in name}
    python = {"env": {**variables, "PYTHONPATH": str(target)}, "cwd": tmp_path}
    run = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True, **python
    )
    assert all(path.startswith(str(target)) for path in run.stdout.split())
    checked = subprocess.run(
        [sys.executable, "-P", "-m", "salvo", "check", "hunt_target", "--isolation", "none"],
        capture_output=True,
        text=True,
        check=False,
        **python,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_record_of_the_wheel_is_that_of_its_files(private: Site, key: str) -> None:
    page = private.ask("/write", key=key, **HTML).text
    file = re.search(r"/(salvo_arena-[^#]+\.whl)#", page)
    assert file is not None
    with zipfile.ZipFile(io.BytesIO(private.ask(f"/{file[1]}").body)) as wheel:
        [record] = [name for name in wheel.namelist() if name.endswith(".dist-info/RECORD")]
        rows = [line.split(",") for line in wheel.read(record).decode().splitlines()]
        assert [row[0] for row in rows] == wheel.namelist()
        for name, digest, size in rows[:-1]:
            data = wheel.read(name)
            found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert (digest, int(size)) == (f"sha256={found}", len(data))
        names = wheel.namelist()
    assert "salvo/examples/rows.py" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any("__pycache__" in name or name.startswith("tests") for name in names)

"""A league is copied while it is served, and the copy is served in its place."""

import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from salvo.server.database.keys import new_invite
from salvo.server.database.server_database import Database
from salvo.server.leagues import open_league, opened
from salvo.server.work.resting import beside_workers
from tests.salvo.server.test_storage import BOX, SMALL

pytestmark = pytest.mark.usefixtures("_sandbox")

Served = Any
MakeServer = Callable[..., Served]


def back_up(league: Path, copy: Path, *before: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "salvo", "operate", "backup", str(copy))
    return subprocess.run(
        (*before, *command, "--league", str(league)),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def games(league: Path) -> dict[str, Any]:
    """Return the games of a record; what the machine broke off was played on other seeds."""
    with opened(open_league(league).record) as store:
        assert store is not None
        return {
            game.fixture.id: (game.fixture.seeds, game.result, game.layouts)
            if game.fixture.attempt == 0 and game.forfeit is None
            else None
            for game in store.games("league")
        }


def assert_within(some: dict[str, Any], whole: dict[str, Any]) -> None:
    """Make sure that games are among others, and the same where both went undisturbed."""
    assert some.keys() <= whole.keys()
    for game, played in some.items():
        if played is not None and whole[game] is not None:
            assert played == whole[game]


def is_done(server: Served, names: set[str]) -> bool:
    told = server.get("/api/standings").json
    return {row["bot"] for row in told["elo"]} == names and told["missing_games"] == 0


@pytest.mark.long("many bots come while it is copied")
def test_copy_made_while_bots_are_submitted_and_play_is_served_in_its_place(
    league: Path, make_server: MakeServer
) -> None:
    server = make_server(league, "--public")
    codes = server.invite("ada", "bob", "cleo")
    keys = []
    for number, (name, code) in enumerate(zip(("ada", "bob", "cleo"), codes, strict=True)):
        bot = server.bot.replace("A. Student", name)
        submitted = server.submit(name, bot.encode(), code)
        keys.append(server.key_of(submitted))
        assert back_up(league, league.with_name(f"early-{number}")).returncode == 0
    bots = {"hunt_target", "uniform_random", "ada", "bob", "cleo"}
    server.until(lambda: is_done(server, bots))
    copies = [league.with_name(f"early-{number}") for number in range(3)]
    whole = games(league)
    server.stop()
    late = [{"bob", "cleo"}, {"cleo"}, set()]
    for copy, missing in zip(copies, late, strict=True):
        again = make_server(copy, "--public")
        # Whoever came in later is not in it; who had submitted is, with all rights.
        again.until(lambda again=again, names=bots - missing: is_done(again, names))
        assert again.get("/mine/ada", keys[0]).status == 200
        assert again.get("/mine/cleo", keys[2]).status == (401 if missing else 200)
        again.stop()
        assert_within(games(copy), whole)
    assert games(copies[-1]).keys() == whole.keys()


def test_uploads_that_come_and_go_meanwhile_are_left_out(league: Path) -> None:
    with Database(league):
        pass
    uploads = league / "serve" / "uploads"
    uploads.mkdir()
    (uploads / "waiting").write_bytes(b"x")
    (uploads / ".half").write_bytes(b"x")
    (uploads / "removed").symlink_to(uploads / "gone")  # listed, and not there when it is read
    copy = league.with_name("copy")
    done = back_up(league, copy)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (copy / "serve" / "uploads").iterdir()] == ["waiting"]


def test_only_the_owner_may_read_a_copy(league: Path) -> None:
    with Database(league) as db:
        new_invite(db, "ada")
    copy = league.with_name("copy")
    assert back_up(league, copy).returncode == 0
    assert stat.S_IMODE(copy.stat().st_mode) == 0o700
    assert (copy / "league.toml").read_bytes() == (league / "league.toml").read_bytes()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("league", "it is there already"),
        ("league/copy", "in the league's own folder"),
        ("nowhere/copy", "cannot be copied there: No such file or directory"),
    ],
)
def test_copy_that_cannot_be_made_is_a_line_and_leaves_nothing(
    league: Path, name: str, told: str
) -> None:
    with Database(league):
        pass
    with beside_workers(league):
        pass  # its lock stays
    before = sorted(league.parent.rglob("*"))
    done = back_up(league, league.parent / name)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert told in done.stderr
    assert sorted(league.parent.rglob("*")) == before


def test_full_disk_is_a_line(league: Path, tmp_path: Path) -> None:
    with Database(league):
        pass
    (league / "bots" / "large.tar.gz").write_bytes(bytes(8 << 20))
    small = tmp_path / "small"
    small.mkdir()
    done = back_up(league, small / "copy", *BOX, *SMALL, str(small))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "No space left" in done.stderr

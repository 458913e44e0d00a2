"""Whoever leaves while a bot of theirs comes in does not play, whichever of the two is first."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.league import League
from salvo.server.database.keys import Visitor, find_key, new_invite
from salvo.server.database.ownership import ban, owners, withdraw
from salvo.server.database.queue import (
    Submission,
    clear_leftovers,
    finish,
    submission,
    submit,
    take_next,
)
from salvo.server.database.server_database import Database
from salvo.server.errors import Refusal
from salvo.server.work import checking
from tests.salvo.server.conftest import IN_ORDER

pytestmark = pytest.mark.usefixtures("_sandbox")

Leave = Callable[[Database, Path, str], str]


class Between(Database):
    """A database with which something else happens just before its first transaction."""

    def __init__(self, league: Path, happens: Callable[[], object]) -> None:
        super().__init__(league)
        self._happens: Callable[[], object] | None = happens

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        happens, self._happens = self._happens, None
        if happens is not None:
            happens()
        with super().writing():
            yield


@pytest.fixture
def db(league: Path) -> Iterator[Database]:
    with Database(league) as db:
        clear_leftovers(league)
        yield db


@pytest.fixture
def being_checked(db: Database, league: Path, tmp_path: Path) -> tuple[Submission, Path]:
    """Return a submission of ada, which a checker has taken, and its bot."""
    upload, bot = tmp_path / "upload", tmp_path / "bot.py"
    upload.write_text(IN_ORDER)
    bot.write_text(IN_ORDER)
    invite = find_key(db, new_invite(db, "Ada"))
    assert invite is not None
    submit(db, league, Visitor((invite,)), name="ada", file=".py", address="", upload=upload)
    one = take_next(db)
    assert one is not None
    return one, bot


def field(league: Path) -> set[str]:
    return {entry.name for entry in League(league).field}


@pytest.mark.parametrize("leave", [ban, withdraw])
def test_bot_that_is_accepted_while_it_leaves_does_not_play(
    leave: Leave, db: Database, league: Path, being_checked: tuple[Submission, Path]
) -> None:
    one, bot = being_checked

    def accept() -> None:
        assert checking._enter(db, league, one, bot) == "ada@1"

    with Between(league, accept) as other:
        assert leave(other, league, "ada").startswith("ada@1 is withdrawn")
    finish(db, one, "accepted", entry="ada@1")
    assert "ada" not in field(league)
    found = submission(db, one.id)
    assert found is not None
    assert (found.state, found.reason) == ("refused", "it was withdrawn")
    assert not [words for _, words in db.log(9) if "accepted" in words]


@pytest.mark.parametrize("leave", [ban, withdraw])
def test_bot_that_leaves_while_it_is_checked_does_not_come_in(
    leave: Leave, db: Database, league: Path, being_checked: tuple[Submission, Path]
) -> None:
    one, bot = being_checked

    def go() -> None:
        with Database(league) as other:
            leave(other, league, "ada")

    # The steps of the check are written down in transactions of their own: the first is early.
    with Between(league, go) as checker, pytest.raises(Exception, match="it was withdrawn"):
        checking._enter(checker, league, one, bot)
    checking.put_back(league)
    assert take_next(db) is None
    assert "ada" not in field(league)


def test_withdrawal_by_the_command_reaches_what_is_being_checked(
    db: Database,
    league: Path,
    being_checked: tuple[Submission, Path],
    salvo: Callable[..., Any],
) -> None:
    one, bot = being_checked
    done = salvo("withdraw", "ada", "--league", str(league))
    assert done.out == "ada is out of the queue; its games stay in the record.\n"
    with pytest.raises(Exception, match="it was withdrawn"):
        checking._enter(db, league, one, bot)
    assert "ada" not in field(league)


def test_invite_that_becomes_void_during_an_upload_takes_no_name(
    db: Database, league: Path, tmp_path: Path
) -> None:
    upload = tmp_path / "upload"
    upload.write_text("")
    invite = find_key(db, new_invite(db, "Ada"))
    assert invite is not None
    db.execute("INSERT INTO names (name, invite) VALUES ('first', ?)", (invite.id,))
    # Nothing of that name is in the league, so that the invite may take another one.

    def go() -> None:
        with Database(league) as other:
            ban(other, league, "first")

    with Between(league, go) as late, pytest.raises(Refusal, match="needs an invite code"):
        submit(
            late, league, Visitor((invite,)), name="second", file=".py", address="", upload=upload
        )
    assert take_next(db) is None
    assert "second" not in owners(db)

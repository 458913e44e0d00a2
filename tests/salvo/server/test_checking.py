"""A check that is interrupted at the moment that matters."""

import tempfile
import time
from pathlib import Path

import pytest

from salvo.server.database.keys import Visitor, find_key, invites, new_invite
from salvo.server.database.ownership import upload_path
from salvo.server.database.queue import (
    Submission,
    Submitted,
    clear_leftovers,
    finish,
    note_spent,
    submission,
    submit,
    take_next,
)
from salvo.server.database.server_database import Database
from salvo.server.work import checking
from salvo.server.work.checkers import Checkers
from tests.salvo.server.conftest import IN_ORDER

pytestmark = pytest.mark.usefixtures("_sandbox")


def submit_bot(db: Database, league: Path, upload: Path) -> Submitted:
    author = find_key(db, new_invite(db, "Ada"))
    assert author is not None
    upload.write_text(IN_ORDER)
    visitor = Visitor((author,))
    return submit(db, league, visitor, name="ada", file=".py", address="", upload=upload)


def check_next(db: Database, league: Path) -> None:
    one = take_next(db)
    assert one is not None
    checking.check_one(league, one)


def test_bot_that_was_entered_when_the_checker_was_killed_is_accepted(
    league: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "bot.py"
    with Database(league) as db:
        clear_leftovers(league)
        copy.write_text(IN_ORDER)
        told = submit_bot(db, league, upload_path(league, "upload"))
        one = take_next(db)
        assert one is not None
        entry = checking._enter(db, league, one, copy)  # then it is killed
        checking.put_back(league)
        check_next(db, league)
        found = submission(db, told.id)
    assert found is not None
    assert (found.state, found.entry) == ("accepted", entry)


def test_upload_whose_checker_is_told_to_end_is_checked_again(
    league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told_to_end(*_: object) -> str:
        raise SystemExit(0)  # as the handler of its signal does

    with Database(league) as db:
        clear_leftovers(league)
        told = submit_bot(db, league, tmp_path / "bot.py")
        with monkeypatch.context() as patch:
            patch.setattr(checking, "_enter", told_to_end)
            with pytest.raises(SystemExit):
                check_next(db, league)
        checking.put_back(league)
        check_next(db, league)
        found = submission(db, told.id)
    assert found is not None
    assert found.state == "accepted", found.reason


def test_author_whose_bots_took_long_to_check_waits_for_others(
    league: Path, tmp_path: Path
) -> None:
    clear_leftovers(league)

    def hand_in(visitor: Visitor, name: str) -> None:
        upload = tmp_path / name
        upload.write_text(name)
        submit(db, league, visitor, name=name, file=".py", address="", upload=upload)

    with Database(league) as db:
        visitors = []
        for label in ("slow", "late"):
            invite = find_key(db, new_invite(db, label))
            assert invite is not None
            visitors.append(Visitor((invite,)))
        hand_in(visitors[0], "slow")
        first = take_next(db)
        assert first is not None
        note_spent(db, first, 100.0)
        finish(db, first, "refused")
        hand_in(visitors[0], "slower")
        hand_in(visitors[1], "late")
        order = [one.name for _ in range(2) if (one := take_next(db)) is not None]
    assert order == ["late", "slower"]


def test_book_that_was_begun_before_time_was_counted_goes_on(league: Path) -> None:
    with Database(league) as db:
        new_invite(db, "Ada")
        db.execute("DROP TABLE spent")
        db.execute("DROP TABLE used")
    with Database(league) as db:
        assert take_next(db) is None
        assert [one.label for one in invites(db)] == ["Ada"]


def test_check_waits_until_copies_can_be_written_and_tells_nothing_of_the_host(
    league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "gone" / "copies"
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    clear_leftovers(league)
    with Database(league) as db:
        told = submit_bot(db, league, tmp_path / "bot.py")

        def look(checkers: Checkers) -> Submission:
            checkers.look_after(0.1)
            found = submission(db, told.id)
            assert found is not None
            return found

        def waits() -> list[str]:
            return [words for _, words in db.log(100) if "checks wait" in words]

        with Checkers(league) as checkers:
            until = time.monotonic() + 300
            while not waits() and time.monotonic() < until:
                assert look(checkers).is_open
            for _ in range(30):  # through the next tries
                found = look(checkers)
                assert (found.is_open, found.reason) == (True, "")
            assert len(waits()) == 1
            place.mkdir(parents=True)
            while (found := look(checkers)).is_open and time.monotonic() < until:
                pass
    assert found.state == "accepted", found.reason

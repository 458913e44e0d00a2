"""A check that is interrupted at the moment that matters."""

import tempfile
import time
from pathlib import Path

import pytest

from salvo.bundled import bundled_bots
from salvo.server.database.claims import upload_path
from salvo.server.database.database import Book
from salvo.server.database.keys import Visitor, find_key, invites, new_invite
from salvo.server.database.queue import (
    Submission,
    clear_leftovers,
    finish,
    note_spent,
    submission,
    submit,
    take_next,
)
from salvo.server.work import checking
from salvo.server.work.checkers import Checkers


def check_next(book: Book, league: Path) -> None:
    one = take_next(book)
    assert one is not None
    checking.check_one(league, one)


def test_bot_that_was_entered_when_the_checker_was_killed_is_accepted(
    league: Path, tmp_path: Path
) -> None:
    text = bundled_bots()["hunt_target"].read_text() + "# mine\n"
    upload, copy = upload_path(league, "upload"), tmp_path / "bot.py"
    with Book(league) as book:
        clear_leftovers(league)
        author = find_key(book, new_invite(book, "Ada"))
        assert author is not None
        upload.write_text(text)
        copy.write_text(text)
        visitor = Visitor((author,))
        told = submit(book, league, visitor, name="ada", file=".py", address="", upload=upload)
        one = take_next(book)
        assert one is not None
        entry = checking._enter(book, league, one, copy)  # then it is killed
        checking.put_back(league)
        check_next(book, league)
        found = submission(book, told.id)
    assert found is not None
    assert (found.state, found.entry) == ("accepted", entry)


def test_upload_whose_checker_is_told_to_end_is_checked_again(
    league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told_to_end(*_: object) -> str:
        raise SystemExit(0)  # as the handler of its signal does

    with Book(league) as book:
        clear_leftovers(league)
        author = find_key(book, new_invite(book, "Ada"))
        assert author is not None
        upload = tmp_path / "bot.py"
        upload.write_text(bundled_bots()["hunt_target"].read_text() + "# mine\n")
        visitor = Visitor((author,))
        told = submit(book, league, visitor, name="ada", file=".py", address="", upload=upload)
        with monkeypatch.context() as patch:
            patch.setattr(checking, "_enter", told_to_end)
            with pytest.raises(SystemExit):
                check_next(book, league)
        checking.put_back(league)
        check_next(book, league)
        found = submission(book, told.id)
    assert found is not None
    assert found.state == "accepted", found.reason


def test_author_whose_bots_took_long_to_check_waits_for_others(
    league: Path, tmp_path: Path
) -> None:
    clear_leftovers(league)

    def hand_in(visitor: Visitor, name: str) -> None:
        upload = tmp_path / name
        upload.write_text(name)
        submit(book, league, visitor, name=name, file=".py", address="", upload=upload)

    with Book(league) as book:
        visitors = []
        for label in ("slow", "late"):
            invite = find_key(book, new_invite(book, label))
            assert invite is not None
            visitors.append(Visitor((invite,)))
        hand_in(visitors[0], "slow")
        first = take_next(book)
        assert first is not None
        note_spent(book, first, 100.0)
        finish(book, first, "refused")
        hand_in(visitors[0], "slower")
        hand_in(visitors[1], "late")
        order = [one.name for _ in range(2) if (one := take_next(book)) is not None]
    assert order == ["late", "slower"]


def test_book_that_was_begun_before_time_was_counted_goes_on(league: Path) -> None:
    with Book(league) as book:
        new_invite(book, "Ada")
        book.db.execute("DROP TABLE spent")
        book.db.execute("DROP TABLE used")
    with Book(league) as book:
        assert take_next(book) is None
        assert [one.label for one in invites(book)] == ["Ada"]


def test_check_waits_until_copies_can_be_written_and_tells_nothing_of_the_host(
    league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "gone" / "copies"
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    clear_leftovers(league)
    with Book(league) as book:
        author = find_key(book, new_invite(book, "Ada"))
        assert author is not None
        upload = tmp_path / "bot.py"
        upload.write_text(bundled_bots()["hunt_target"].read_text() + "# mine\n")
        visitor = Visitor((author,))
        told = submit(book, league, visitor, name="ada", file=".py", address="", upload=upload)

        def look(checkers: Checkers) -> Submission:
            checkers.look_after(0.1)
            found = submission(book, told.id)
            assert found is not None
            return found

        def waits() -> list[str]:
            return [words for _, words in book.log(100) if "checks wait" in words]

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

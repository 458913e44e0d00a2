"""A check that is interrupted at the moment that matters."""

from pathlib import Path

from salvo.bundled import bundled_bots
from salvo.server import checking
from salvo.server.book import Book
from salvo.server.claims import upload_path
from salvo.server.keys import Visitor, find_key, new_invite
from salvo.server.queue import clear_leftovers, submission, submit, take_next


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
        assert checking.check_next(league)
        found = submission(book, told.id)
    assert found is not None
    assert (found.state, found.entry) == ("accepted", entry)

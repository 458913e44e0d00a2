"""What comes of a bot that was handed in, whatever its check says or runs into; nothing is run."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.conformance import Step
from arena.errors import BotError, StorageError, UserError
from salvo.bundled import bundled_bots
from salvo.server.database.challenges import Challenges
from salvo.server.database.keys import Key, Visitor, find_key, new_invite
from salvo.server.database.ownership import upload_path
from salvo.server.database.queue import (
    Submission,
    clear_leftovers,
    requeue,
    submission,
    submit,
    take_next,
)
from salvo.server.database.server_database import Database, folder_of
from salvo.server.leagues import open_league
from salvo.server.work import checking

PASSES = (Step(1, "It starts", "ok"), Step(2, "It shoots", "warning"))
FAILS = (Step(1, "It starts", "ok"), Step(2, "It shoots", "failed", detail="FOLDER/bots/a/b.py"))
FAILED = "the server failed; its operator can see why"


class Checked:
    """A league to which bots are handed in, and what their checks say."""

    def __init__(self, league: Path, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        self.league, self.db = league, db
        self.steps: tuple[Step, ...] = PASSES
        self.keys: dict[str, Key] = {}
        self.meanwhile: Callable[[], object] = lambda: None
        monkeypatch.setattr(checking, "check", self._check)

    def _check(self, *_: object) -> Iterator[Step]:
        self.meanwhile()
        yield from self.steps

    def hand_in(self, name: str, text: str, draft: str | None = None) -> Submission:
        """Hand in a bot by the invite of its author, and take it from the queue."""
        if name not in self.keys:
            found = find_key(self.db, new_invite(self.db, name))
            assert found is not None
            self.keys[name] = found
        key = self.keys[name]
        part = folder_of(self.league) / "uploads" / ".part"
        part.write_text(text)
        done = submit(
            self.db,
            self.league,
            Visitor((key,)),
            name=name,
            file=".py",
            address="",
            upload=part,
        )
        if draft is not None:
            with Challenges(self.league) as challenges:
                challenges.begin(key.id, f"{name}@draft", draft, done.id)
        one = take_next(self.db)
        assert one is not None
        return one

    def check(self, one: Submission) -> tuple[str, str, str]:
        """Check one; return its state, and as what it was accepted or why not."""
        checking.check_one(self.league, one)
        checking.tidy(self.league, one)
        return self.told(one)

    def told(self, one: Submission) -> tuple[str, str, str]:
        found = submission(self.db, one.id)
        assert found is not None
        return found.state, found.entry, found.reason

    @property
    def log(self) -> list[str]:
        return [words for _, words in reversed(self.db.log(100))]

    @property
    def field(self) -> list[str]:
        return [one.full_name for one in open_league(self.league).field]


@pytest.fixture
def checked(league: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Checked]:
    with Database(league) as db:
        clear_leftovers(league)
        yield Checked(league, db, monkeypatch)


BOT = bundled_bots()["hunt_target"].read_text() + "# mine\n"


def test_bot_that_passes_its_check_is_entered_and_its_upload_removed(checked: Checked) -> None:
    one = checked.hand_in("ada", BOT)
    assert checked.check(one) == ("accepted", "ada@1", "")
    assert checked.field == ["hunt_target@1", "uniform_random@1", "ada@1"]
    assert checked.log == ["ada@1 is accepted"]
    found = submission(checked.db, one.id)
    assert found is not None
    assert [(step["number"], step["verdict"]) for step in found.steps] == [
        (1, "ok"),
        (2, "warning"),
    ]
    assert not upload_path(checked.league, one.id).exists()
    assert list((folder_of(checked.league) / "unpacked").iterdir()) == []


def test_bot_that_fails_its_check_is_refused_without_where_the_league_lies(
    checked: Checked,
) -> None:
    place = str(checked.league.resolve())
    checked.steps = tuple(
        Step(one.number, one.title, one.verdict, detail=one.detail.replace("FOLDER", place))
        for one in FAILS
    )
    one = checked.hand_in("ada", BOT)
    told = "it fails its check: 2 steps: 1 ok, 1 failed"
    assert checked.check(one) == ("refused", "", told)
    found = submission(checked.db, one.id)
    assert found is not None
    assert [step["detail"] for step in found.steps] == ["", "b.py"]
    assert "ada@1" not in checked.field


def test_same_content_is_entered_once_by_an_author_and_told_of_another(checked: Checked) -> None:
    first = checked.hand_in("ada", BOT)
    checked.check(first)
    again = checked.hand_in("ada", BOT)
    told = "ada@1 has the same content; change the bot first"
    assert checked.check(again) == ("refused", "", told)
    later = checked.hand_in("ada", BOT + "# again\n")
    assert checked.check(later) == ("accepted", "ada@2", "")
    twin = checked.hand_in("bob", BOT)
    assert checked.check(twin) == ("accepted", "bob@1", "")
    assert "bob has the same content as ada@1" in checked.log


def test_bot_that_was_entered_before_the_checker_was_killed_is_accepted_as_that(
    checked: Checked,
) -> None:
    one = checked.hand_in("ada", BOT)
    checked.check(one)
    checked.db.execute("UPDATE submissions SET state = 'checking', entry = ''")
    requeue(checked.db)
    upload_path(checked.league, one.id).write_text(BOT)
    taken = take_next(checked.db)
    assert taken is not None
    assert checked.check(taken) == ("accepted", "ada@1", "")


def test_bot_that_is_withdrawn_while_it_is_checked_is_not_entered(checked: Checked) -> None:
    one = checked.hand_in("ada", BOT)

    def withdrawn() -> None:
        checked.db.execute("UPDATE submissions SET state = 'refused', reason = 'why'")

    checked.meanwhile = withdrawn
    assert checked.check(one) == ("refused", "", "why")
    assert "ada@1" not in checked.field


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (BotError("it is PLACE/ada.py"), ("refused", "", "it is ada.py")),
        (UserError("PLACE is no bot"), ("refused", "", "ada is no bot")),
        (ValueError("secret"), ("failed", "", FAILED)),
        (OSError("secret"), ("failed", "", FAILED)),
    ],
)
def test_what_goes_wrong_is_a_verdict_and_a_draft_of_it_is_given_up(
    checked: Checked, error: Exception, found: tuple[str, str, str]
) -> None:
    one = checked.hand_in("ada", BOT, draft="hunt_target@1")
    place = str((folder_of(checked.league) / "unpacked" / one.id).resolve())

    def fail() -> None:
        raise type(error)(str(error).replace("PLACE", place))

    checked.meanwhile = fail
    assert checked.check(one) == found
    with Challenges(checked.league) as challenges:
        draft = challenges.of_submission(one.id)
    assert draft is not None
    why = FAILED if found[0] == "failed" else "it was not accepted by its check"
    assert (draft.state, draft.reason) == ("failed", why)


def test_check_that_this_machine_has_no_room_for_is_no_verdict(checked: Checked) -> None:
    one = checked.hand_in("ada", BOT)

    def fail() -> None:
        raise StorageError("the disk is full")

    checked.meanwhile = fail
    with pytest.raises(StorageError):
        checking.check_one(checked.league, one)
    checking.tidy(checked.league, one)
    assert checked.told(one) == ("checking", "", "")
    assert upload_path(checked.league, one.id).exists()


def test_draft_is_checked_and_plays_and_is_not_entered(
    checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[tuple[str, ...]] = []

    def play(_league: object, _challenges: object, draft: Any, entrants: Any, _: object) -> None:  # noqa: ANN401 - as there
        tried.append((draft.bot, *(one.name for one in entrants)))

    monkeypatch.setattr(checking, "choose", lambda level: level)
    monkeypatch.setattr(checking, "play_challenge", play)
    one = checked.hand_in("ada", BOT, draft="hunt_target@1")
    assert checked.check(one) == ("accepted", "ada@draft", "")
    assert tried == [("ada@draft", "ada@draft", "hunt_target@1")]
    assert "ada@1" not in checked.field


def test_time_of_a_check_is_noted_for_its_author_whatever_came_of_it(
    checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def take_long() -> None:
        now[0] += 7.5

    checked.meanwhile = take_long
    checked.check(checked.hand_in("ada", BOT))
    checked.steps = FAILS
    checked.check(checked.hand_in("bob", BOT))
    spent = checked.db.execute("SELECT seconds FROM spent ORDER BY rowid").fetchall()
    assert spent == [(7.5,), (7.5,)]


def test_what_processes_that_ended_left_unfinished_is_removed(checked: Checked) -> None:
    bots = checked.league / "bots"
    for number in (os.getpid(), 2**22 + 1):
        (bots / f".{number}.folder").mkdir()
        (bots / f".{number}.file").touch()
    (folder_of(checked.league) / "unpacked" / "old").mkdir(parents=True)
    checking.put_back(checked.league)
    assert sorted(path.name for path in bots.glob(".*")) == [
        f".{os.getpid()}.file",
        f".{os.getpid()}.folder",
    ]
    assert not (folder_of(checked.league) / "unpacked").exists()

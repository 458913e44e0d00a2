"""Who may submit under which name, and what withdrawing or banning one does."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import UserError
from salvo.server.database import analyses as queued
from salvo.server.database.analyses import Analyses
from salvo.server.database.keys import Key, Visitor, add_key, find_key, new_invite
from salvo.server.database.ownership import (
    ban,
    banned_names,
    invite_of,
    owners,
    refuse_banned,
    reserve_name,
    upload_path,
    withdraw,
)
from salvo.server.database.server_database import Database
from salvo.server.errors import Refusal
from salvo.server.leagues import open_league


class Names:
    """A league of `hunt_target` and `uniform_random`, and who may submit to it."""

    def __init__(self, league: Path, db: Database) -> None:
        self.league, self.db = league, db

    def key(self, code: str) -> Key:
        found = find_key(self.db, code)
        assert found is not None
        return found

    def invited(self) -> Visitor:
        return Visitor((self.key(new_invite(self.db, "")),))

    def reserve(self, visitor: Visitor, name: str, *, take: bool = True) -> str | None:
        return reserve_name(self.db, self.league, visitor, name, take=take)

    def refused(self, visitor: Visitor, name: str) -> tuple[int, str]:
        with pytest.raises(Refusal) as refusal:
            self.reserve(visitor, name)
        return refusal.value.status, str(refusal.value)

    def wait(self, name: str, state: str = "queued") -> Path:
        """Have a bot wait to be checked; return where its bytes are."""
        number = self.db.execute("SELECT count(*) FROM submissions").fetchone()[0]
        self.db.execute(
            "INSERT INTO submissions (id, name, address, file, state, at) "
            "VALUES (?, ?, '', '.py', ?, '')",
            (f"id{number}", name, state),
        )
        path = upload_path(self.league, f"id{number}")
        path.parent.mkdir(exist_ok=True)
        path.touch()
        return path

    def states(self) -> list[tuple[str, str]]:
        return self.db.execute("SELECT state, reason FROM submissions ORDER BY number").fetchall()


@pytest.fixture
def names(league: Path) -> Iterator[Names]:
    with Database(league) as db:
        yield Names(league, db)


def test_new_name_is_taken_by_the_invite_that_came_last_and_has_a_key_of_its_own(
    names: Names,
) -> None:
    [first], [second] = names.invited().keys, names.invited().keys
    both = Visitor((first, second))
    assert names.reserve(both, "ada", take=False) is None
    assert owners(names.db) == {}
    assert invite_of(names.db, both, "ada") == second.id
    code = names.reserve(both, "ada")
    assert code is not None
    assert (names.key(code).right, names.key(code).name) == ("author", "ada")
    assert owners(names.db) == {"ada": second.id}
    assert invite_of(names.db, Visitor((first,)), "ada") == second.id


def test_name_that_never_came_into_the_league_is_taken_anew_and_its_old_key_is_void(
    names: Names,
) -> None:
    ada = names.invited()
    former = names.reserve(ada, "ada")
    assert former is not None
    assert names.reserve(ada, "ada", take=False) is None
    again = names.reserve(ada, "ada")
    assert again is not None
    assert find_key(names.db, former) is None
    another = names.reserve(ada, "lovelace")
    assert another is not None
    assert find_key(names.db, again) is None
    assert list(owners(names.db)) == ["lovelace"]
    assert names.reserve(ada, "ada", take=False) is None
    assert list(owners(names.db)) == ["lovelace"]  # nothing is given up before it is taken


def test_invite_whose_bot_waits_or_is_in_the_league_is_good_for_no_other_name(
    names: Names,
) -> None:
    ada = names.invited()
    code = names.reserve(ada, "ada")
    assert code is not None
    told = (
        "this invite has its bot, 'ada': an invite is good for one name; submit a new version "
        "under that name"
    )
    for state, may in (("queued", False), ("checking", False), ("refused", True)):
        names.db.execute("DELETE FROM submissions")
        names.wait("ada", state)
        if may:
            assert names.reserve(ada, "lovelace", take=False) is None
        else:
            assert names.refused(ada, "lovelace") == (403, told)
    names.db.execute("UPDATE names SET name = 'hunt_target'")
    assert names.refused(ada, "lovelace") == (403, told.replace("'ada'", "'hunt_target'"))
    assert names.reserve(ada, "hunt_target") is None  # a new version
    author = Visitor((names.key(add_key(names.db, "author", name="hunt_target")),))
    assert names.reserve(author, "hunt_target") is None


def test_name_of_somebody_else_or_of_nobody_is_refused(names: Names) -> None:
    ada, bob, stranger = names.invited(), names.invited(), Visitor()
    names.reserve(ada, "Ada")
    others = "belongs to somebody else; choose another name"
    assert names.refused(bob, "Ada") == (403, f"'Ada' {others}")
    assert names.refused(ada, "ADA") == (
        403,
        "'ADA' could be taken for 'Ada'; choose another name",
    )
    assert names.refused(bob, "HUNT_target") == (
        403,
        "'hunt_target' is in the league already; choose another name",
    )
    assert names.refused(stranger, "cy") == (
        403,
        "a new bot needs an invite code; the operator of the league has them",
    )
    assert names.refused(bob, "a b" * 30) == (
        400,
        (
            f"name: '{'a b' * 20}' cannot be shown in tables; use ASCII letters, digits, and . - _ "
            "after the first, at most 40"
        ),
    )
    assert names.reserve(bob, "b" * 40, take=False) is None
    assert names.refused(bob, "b" * 41)[0] == 400


def test_bot_that_waits_is_out_of_the_queue_and_one_that_plays_is_withdrawn(names: Names) -> None:
    ada = names.invited()
    names.reserve(ada, "ada")
    waits, checked = names.wait("ada"), names.wait("ada", "checking")
    done, other = names.wait("ada", "accepted"), names.wait("bob")
    assert withdraw(names.db, names.league, "ADA") == "ada is out of the queue"
    gone = ("refused", "it was withdrawn")
    assert names.states() == [gone, gone, ("accepted", ""), ("queued", "")]
    assert [path.exists() for path in (waits, checked, done, other)] == [False, False, True, True]
    assert banned_names(names.db) == set()
    told = "hunt_target@1 is withdrawn"
    assert withdraw(names.db, names.league, "hunt_target") == told
    assert names.db.log(1)[0][1] == told
    assert [one.name for one in open_league(names.league).field] == ["uniform_random"]
    with pytest.raises(UserError, match="no 'hunt_target' plays in it"):
        withdraw(names.db, names.league, "hunt_target")
    with pytest.raises(UserError, match="no bot of this league is called 'nobody'"):
        withdraw(names.db, names.league, "nobody")


def test_ban_is_for_good_and_for_everything_of_its_author(names: Names) -> None:
    ada, bob = names.invited(), names.invited()
    code, other = names.reserve(ada, "ada"), names.reserve(bob, "bob")
    assert code is not None
    assert other is not None
    names.wait("ada")
    assert ban(names.db, names.league, "ada") == "ada is out of the queue, and banned"
    assert ban(names.db, names.league, "uniform_random") == (
        "uniform_random@1 is withdrawn, and banned"
    )
    # Of the operator's own bots no author is banned.
    assert banned_names(names.db) == {"ada"}
    assert find_key(names.db, code) is None
    assert find_key(names.db, other) is not None
    assert names.refused(ada, "ada") == (403, "'ada' was banned by the operator")
    assert ban(names.db, names.league, "ada") == "ada is out of the queue, and banned"
    told = (
        "bot ADA: 'ada' was banned in this league, and no block of it would be played; choose "
        "another name with --name"
    )
    with pytest.raises(UserError) as error:
        refuse_banned(names.db, "ADA")
    assert str(error.value) == told
    refuse_banned(names.db, "bob")
    with pytest.raises(UserError, match="is the anchor of the league"):
        ban(names.db, names.league, "hunt_target")
    assert withdraw(names.db, names.league, "hunt_target") == "hunt_target@1 is withdrawn"


def test_old_analyses_are_forgotten_unless_they_still_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queued, "_KEPT", 2)
    with Analyses(tmp_path) as analyses:
        for number in range(4):
            analyses.ask(f"game {number}", "")
        for number in (0, 2, 3):
            analyses.finish(f"game {number}", "done", number)
        found = [analyses.find(f"game {number}") for number in range(4)]
        assert [one and (one.state, one.data) for one in found] == [
            None,
            ("queued", None),
            ("done", 2),
            ("done", 3),
        ]
        analyses.forget()
        assert analyses.find("game 3") is None

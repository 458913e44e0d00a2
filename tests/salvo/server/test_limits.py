"""Limits hold at their last place and not before it, and are each visitor's or bot's own."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.requests import Request

from salvo.server.database import human_games, queue
from salvo.server.database.analyses import Analyses
from salvo.server.database.challenges import A_DAY, PAIRS, Challenges
from salvo.server.database.human_games import PERSON, PLACES, RIVALS_A_DAY, HumanGames
from salvo.server.database.keys import (
    SESSION_S,
    Key,
    Right,
    Visitor,
    add_key,
    find_key,
    forget_session,
    held_right,
    join_session,
    new_invite,
    revoke,
    visitor_of,
)
from salvo.server.database.queue import MOST_OF_ADDRESS, MOST_OF_NAME, MOST_WAITING, submit
from salvo.server.database.server_database import Database, folder_of
from salvo.server.errors import Refusal
from salvo.server.web.authentication import Authentication
from salvo.server.web.guard import Policy

HERE, THERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Return a function that lets so many seconds pass."""
    now = [1_800_000_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])

    def wait(seconds: float) -> None:
        now[0] += seconds

    return wait


def refused(ask: Callable[[], object]) -> int:
    """Return the status with which something is refused."""
    with pytest.raises(Refusal) as refusal:
        ask()
    return refusal.value.status


def test_so_many_analyses_wait_of_an_address_and_of_all(tmp_path: Path) -> None:
    with Analyses(tmp_path) as analyses:
        for number in range(12):
            analyses.ask(f"game {number}", HERE)
        assert refused(lambda: analyses.ask("game 12", HERE)) == 429
        assert analyses.ask("game 3", HERE).state == "queued"  # it waits already
        analyses.finish("game 0", "done", None)
        analyses.ask("game 12", HERE)
        for number in range(13, 65):
            analyses.ask(f"game {number}", f"{THERE}{number}")
        assert refused(lambda: analyses.ask("game 65", THERE)) == 503


def test_turns_of_people_are_analysed_before_games_and_those_in_order(tmp_path: Path) -> None:
    with Analyses(tmp_path) as analyses:
        for what in ("game b", "game a", "turn b 1", "turn a 1"):
            analyses.ask(what, HERE)
        taken = []
        while (what := analyses.take_next()) is not None:
            taken.append(what)
            analyses.finish(what, "failed", "why")
        assert taken == ["turn b 1", "turn a 1", "game b", "game a"]


def test_author_begins_so_many_challenges_a_day(
    tmp_path: Path, clock: Callable[[float], None]
) -> None:
    with Challenges(tmp_path) as challenges:
        for number in range(A_DAY):
            draft = None if number else "a submission"
            identifier = challenges.begin(1, "ada@1", "bob@1", draft)
            challenges.finish(identifier, "done")
        assert refused(lambda: challenges.begin(1, "ada@1", "bob@1")) == 429
        challenges.begin(2, "bob@1", "ada@1")
        clock(86_399)
        assert refused(lambda: challenges.begin(1, "ada@1", "bob@1")) == 429
        clock(1)
        challenges.begin(1, "ada@1", "bob@1")
        clock(6 * 86_400)
        assert len(challenges.by_author([1])) == A_DAY + 1
        clock(1)
        challenges.begin(2, "bob@1", "ada@1")  # those of a week ago are forgotten
        assert len(challenges.by_author([1])) == 1


def test_so_many_challenges_wait_of_all(tmp_path: Path) -> None:
    with Challenges(tmp_path) as challenges:
        challenges.begin(99, "ada@draft", "bob@1", "a submission")
        for author in range(32):
            challenges.begin(author, "ada@1", "bob@1")
        assert refused(lambda: challenges.begin(50, "ada@1", "bob@1")) == 503


def begin(games: HumanGames, player: str, address: str = HERE, **more: int) -> str:
    settings = {"places": PLACES} | more
    return games.begin(bot="bob@1", seat="first", player=player, address=address, **settings)


def test_places_of_people_are_taken_until_they_are_quiet(
    tmp_path: Path, clock: Callable[[float], None]
) -> None:
    with HumanGames(tmp_path) as games:
        first = begin(games, "ada", places=2)
        begin(games, "bob", places=2)
        assert refused(lambda: begin(games, "cy", THERE, places=2)) == 503
        assert refused(lambda: begin(games, "cy", THERE, places=0)) == 403
        clock(599)
        assert refused(lambda: begin(games, "cy", THERE, places=2)) == 503
        clock(1)
        begin(games, "cy", THERE, places=2)
        begin(games, "dee", THERE, places=2)
        assert refused(lambda: games.touch(first, HERE, 2)) == 503
        assert games.number_of(first) == 0  # it can be gone on with
        clock(600)
        games.touch(first, HERE, 2)
        assert list(games.in_play()) == [first]


def test_so_many_people_play_from_an_address_and_begin_games_an_hour(
    tmp_path: Path, clock: Callable[[float], None]
) -> None:
    with HumanGames(tmp_path) as games:
        for number in range(12):
            begin(games, f"player {number}")
        assert refused(lambda: begin(games, "another")) == 429
        begin(games, "another", THERE)
        for _ in range(120 - 12):
            begin(games, "player 0")  # the one in play is given up
        assert refused(lambda: begin(games, "player 0")) == 429
        clock(3599)
        assert refused(lambda: begin(games, "player 0")) == 429
        clock(1)
        begin(games, "player 0")


def test_author_meets_so_many_rivals_a_day(tmp_path: Path, clock: Callable[[float], None]) -> None:
    with HumanGames(tmp_path) as games:
        for _ in range(RIVALS_A_DAY):
            begin(games, "ada", author=1)
        assert refused(lambda: begin(games, "ada", author=1)) == 429
        begin(games, "ada")
        begin(games, "bob", author=2)
        clock(86_401)
        begin(games, "ada", author=1)


def test_games_of_people_are_forgotten_after_a_day_or_a_month(
    tmp_path: Path, clock: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with HumanGames(tmp_path) as games:
        left, over = begin(games, "ada"), begin(games, "bob")
        games.finish(over, "over")
        clock(86_400)
        begin(games, "cy")
        assert games.find(left) is not None
        clock(1)
        begin(games, "dee")
        assert games.find(left) is None
        assert games.find(over) is not None
        clock(29 * 86_400)
        begin(games, "eve")
        assert games.find(over) is None
        ended = [begin(games, f"player {number}") for number in range(3)]
        for game in ended:
            clock(1)
            games.append(game, 0, b"{}\n", person=True)
            games.finish(game, "over")
        monkeypatch.setattr(human_games, "_MOST_KEPT", 2)
        begin(games, "fay")
        assert [games.find(game) is not None for game in ended] == [False, True, True]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with Database(tmp_path) as opened:
        (folder_of(tmp_path) / "uploads").mkdir()
        yield opened


def key_of(db: Database, right: Right = "submit", name: str | None = None) -> Key:
    found = find_key(db, add_key(db, right, name=name))
    assert found is not None
    return found


def hand_in(db: Database, league: Path, invite: Key, name: str, address: str = HERE) -> None:
    file = folder_of(league) / "uploads" / ".part"
    file.touch()
    visitor = Visitor((invite,))
    submit(db, league, visitor, name=name, file=".py", address=address, upload=file)


def waiting(db: Database, count: int, address: str) -> None:
    """Have so many submissions wait from an address."""
    for _ in range(count):
        db.execute(
            "INSERT INTO submissions (id, name, address, file, at) "
            "VALUES (hex(randomblob(8)), 'somebody', ?, '.py', '')",
            (address,),
        )


def test_so_many_versions_of_a_name_wait(db: Database, tmp_path: Path) -> None:
    ada, bob = key_of(db), key_of(db)
    for _ in range(MOST_OF_NAME):
        hand_in(db, tmp_path, ada, "ada")
    assert refused(lambda: hand_in(db, tmp_path, ada, "ada")) == 429
    hand_in(db, tmp_path, bob, "bob")
    one = queue.take_next(db)
    assert one is not None
    assert refused(lambda: hand_in(db, tmp_path, ada, "ada")) == 429  # it is being checked
    queue.finish(db, one, "refused")
    hand_in(db, tmp_path, ada, "ada")


@pytest.mark.parametrize(
    ("count", "address", "may"),
    [
        (MOST_OF_ADDRESS - 1, HERE, True),
        (MOST_OF_ADDRESS, HERE, False),
        (MOST_WAITING - 1, THERE, True),
        (MOST_WAITING, THERE, False),
    ],
)
def test_so_many_bots_wait_of_an_address_and_of_all(
    db: Database, tmp_path: Path, count: int, address: str, *, may: bool
) -> None:
    invite = key_of(db)
    waiting(db, count, address)
    if may:
        hand_in(db, tmp_path, invite, "ada")
    else:
        assert refused(lambda: hand_in(db, tmp_path, invite, "ada")) == 429


def test_key_that_was_revoked_while_an_upload_came_submits_nothing(
    db: Database, tmp_path: Path
) -> None:
    invite = key_of(db)
    revoke(db, invite.id)
    assert refused(lambda: hand_in(db, tmp_path, invite, "ada")) == 403


def test_author_whose_bots_took_the_least_time_lately_comes_first(
    db: Database, tmp_path: Path, clock: Callable[[float], None]
) -> None:
    slow, quick = key_of(db), key_of(db)
    hand_in(db, tmp_path, slow, "slow")
    first = queue.take_next(db)
    assert first is not None
    queue.note_spent(db, first, 30.0)
    queue.finish(db, first, "refused")
    hand_in(db, tmp_path, slow, "slow")
    hand_in(db, tmp_path, quick, "quick")
    one = queue.take_next(db)
    assert one is not None
    assert one.name == "quick"
    queue.put_off(db, one)  # which counts as a minute
    one = queue.take_next(db)
    assert one is not None
    assert one.name == "slow"
    queue.finish(db, one, "refused")
    hand_in(db, tmp_path, slow, "slow")
    hand_in(db, tmp_path, slow, "slow")
    clock(3600)
    one = queue.take_next(db)
    assert one is not None
    assert one.name == "quick"  # an hour later the older one does
    one = queue.take_next(db)
    assert one is not None
    assert one.name == "slow"
    assert queue.take_next(db) is None  # of one author, one at a time


def test_what_was_checked_when_the_server_ended_thrice_is_given_up(
    db: Database, tmp_path: Path
) -> None:
    hand_in(db, tmp_path, key_of(db), "ada")
    for attempt in (1, 2, 3):
        one = queue.take_next(db)
        assert one is not None
        assert queue.was_begun_before(db, one) == (attempt > 1)
        queue.requeue(db)
    assert queue.take_next(db) is None
    found = queue.submission(db, one.id)
    assert found is not None
    assert (found.state, found.reason) == (
        "failed",
        "the server ended each time that it was checked",
    )


def test_session_ends_with_its_time_its_key_or_its_browser(
    db: Database, clock: Callable[[float], None]
) -> None:
    ada, bob = key_of(db), key_of(db)
    session = join_session(db, None, ada)
    both = join_session(db, session, bob)
    assert visitor_of(db, session).keys == ()  # the former secret is void
    assert set(visitor_of(db, both).keys) == {ada, bob}
    revoke(db, ada.id)
    assert visitor_of(db, both).keys == (bob,)
    clock(SESSION_S - 1)
    assert visitor_of(db, both).reads
    clock(1)
    assert not visitor_of(db, both).reads
    again = join_session(db, None, bob)
    assert visitor_of(db, again).reads
    forget_session(db, again)
    assert not visitor_of(db, again).reads


def test_browser_that_came_first_is_forgotten_for_a_fifty_first(
    db: Database, clock: Callable[[float], None]
) -> None:
    ada, bob = key_of(db), key_of(db)
    other = join_session(db, None, bob)
    sessions = []
    for _ in range(50):
        sessions.append(join_session(db, None, ada))
        clock(1)
    assert all(visitor_of(db, one).reads for one in sessions)
    sessions.append(join_session(db, None, ada))
    assert [visitor_of(db, one).reads for one in sessions] == [False] + [True] * 50
    assert visitor_of(db, other).reads


def test_code_is_known_however_it_is_written_and_as_nothing_else(db: Database) -> None:
    code = new_invite(db, "Ada")
    for written in (code, code.upper(), code.replace("-", ""), code.replace("-", " "), f" {code}"):
        assert find_key(db, written) is not None
    for written in ("", code[:-1], f"{code}2"):
        assert find_key(db, written) is None


def browser(session: str | None, held: str = "") -> Request:
    """Return a request of a browser with its cookies."""
    cookies = [] if session is None else [f"salvo_session_80={session}"]
    cookies += [f"salvo_held_80={held}"] if held else []
    headers = [(b"host", b"here:80"), (b"cookie", "; ".join(cookies).encode())]
    return Request(
        {
            "type": "http",
            "scheme": "http",
            "secure": False,
            "address": HERE,
            "path": "/",
            "query_string": b"",
            "headers": headers,
        }
    )


def test_browser_is_asked_before_a_key_that_allows_no_more(db: Database, tmp_path: Path) -> None:
    operator, author = key_of(db, "operate"), key_of(db, "author", "ada")
    invite, other, reader = key_of(db), key_of(db), key_of(db, "read")
    authentication = Authentication(tmp_path, Policy(hosts=frozenset({"here"})))
    asked = {
        (had.right, key.right): authentication.held(browser(join_session(db, None, had)), key)
        for had in (operator, author, invite, reader)
        for key in (operator, author, other, reader)
        if had != key
    }
    assert {pair for pair, held in asked.items() if held is None} == {
        ("author", "operate"),
        ("submit", "operate"),
        ("submit", "author"),
        ("read", "operate"),
        ("read", "author"),
        ("read", "submit"),
    }
    assert all(held in (None, had) for (had, _), held in asked.items())
    assert authentication.held(browser(join_session(db, None, invite)), invite) is None
    assert authentication.held(browser("none"), invite) is None
    assert authentication.held(browser(None), invite) is None
    assert authentication.held(browser(None, "submit"), reader) == "submit"
    assert authentication.held(browser(None, "nonsense"), reader) is None
    assert held_right([reader, invite, author]) == "author"
    assert held_right([]) is None


def test_limits_are_those_that_pages_and_documents_name() -> None:
    assert (A_DAY, PAIRS, RIVALS_A_DAY, PLACES) == (10, 5, 10, 24)
    assert (MOST_OF_NAME, MOST_OF_ADDRESS, MOST_WAITING) == (2, 64, 256)
    assert SESSION_S == 120 * 86_400


def test_what_was_withdrawn_while_it_was_checked_stays_so(db: Database, tmp_path: Path) -> None:
    hand_in(db, tmp_path, key_of(db), "ada")
    one = queue.take_next(db)
    assert one is not None
    assert queue.is_wanted(db, one)
    db.execute("UPDATE names SET banned = 1")
    assert not queue.is_wanted(db, one)
    db.execute("UPDATE names SET banned = 0")
    db.execute("UPDATE submissions SET state = 'refused', reason = 'it was withdrawn'")
    assert not queue.is_wanted(db, one)
    queue.finish(db, one, "accepted", entry="ada@1")
    found = queue.submission(db, one.id)
    assert found is not None
    assert (found.state, found.entry, found.reason) == ("refused", "", "it was withdrawn")
    assert db.log(1) == []


def test_of_uploads_those_alone_stay_that_wait(db: Database, tmp_path: Path) -> None:
    invite = key_of(db)
    for _ in range(MOST_OF_NAME):
        hand_in(db, tmp_path, invite, "ada")
    one = queue.take_next(db)
    assert one is not None
    queue.finish(db, one, "refused")
    uploads = folder_of(tmp_path) / "uploads"
    (uploads / ".part").touch()
    (folder_of(tmp_path) / "unpacked" / one.id).mkdir(parents=True)
    [waits] = queue.submissions(db, most=9, waiting=True)
    queue.clear_leftovers(tmp_path)
    assert [file.name for file in uploads.iterdir()] == [waits.id]
    assert not (folder_of(tmp_path) / "unpacked").exists()


def test_challenges_and_games_are_forgotten_with_a_bot_and_its_author(tmp_path: Path) -> None:
    with Challenges(tmp_path) as challenges:
        pairs = ((1, "ada@2", "eve@1"), (2, "bob@1", "ada@1"), (2, "bob@1", "eve@1"))
        found = [challenges.begin(*pair) for pair in pairs]
        challenges.forget(("ada",), 3)
        left = [challenges.find(one) is not None for one in found]
        assert left == [False, False, True]
        challenges.forget((), 2)
        assert challenges.find(found[2]) is None
    with HumanGames(tmp_path) as games:
        game = begin(games, "cy", author=1)
        assert games.played_by("cy") == game
        assert games.played_by("dee") is None
        assert games.append(game, 0, b"{}\n", person=True)
        assert not games.append(game, 0, b"{}\n", person=True)
        known = games.find(game)
        assert known is not None
        assert (known.number, known.actions) == (1, (b"{}\n",))
        games.forget(("ada",), 2)
        assert games.find(game) is not None
        games.forget(("bob",), 2)
        assert games.find(game) is None


def test_game_is_its_players_alone_who_has_the_seat_that_was_chosen(tmp_path: Path) -> None:
    with HumanGames(tmp_path) as games:
        game = begin(games, "ada")
        assert games.is_of(game, "ada")
        assert not games.is_of(game, "bob")
        assert not games.is_of("nothing", "ada")
        known = games.find(game)
        assert known is not None
        assert (known.fixture.first, known.fixture.second) == (PERSON, "bob@1")
        game = games.begin(bot="bob@1", seat="second", player="b", address=HERE, places=9)
        known = games.find(game)
        assert known is not None
        assert (known.fixture.first, known.fixture.second) == ("bob@1", PERSON)


def test_those_that_wait_come_oldest_first_and_the_others_newest_first(
    db: Database, tmp_path: Path
) -> None:
    for name in ("ada", "bob", "cy", "dee"):
        hand_in(db, tmp_path, key_of(db), name)
    for _ in range(2):
        one = queue.take_next(db)
        assert one is not None
        queue.finish(db, one, "refused")
    told = [
        [one.name for one in queue.submissions(db, most=9, waiting=waits)]
        for waits in (True, False)
    ]
    assert told == [["cy", "dee"], ["bob", "ada"]]
    assert [one.name for one in queue.submissions(db, most=1, waiting=False)] == ["bob"]

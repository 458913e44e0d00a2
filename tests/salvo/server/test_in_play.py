"""Games are published while they are played; whatever happens to that, they are the same."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import msgspec
import pytest

from arena.player import UNHURRIED, InProcessPlayer
from arena.records import Block, Fixture, Game, Void, comparable
from arena.referee import play_block
from arena.rules import preset, view
from arena.scorebook import Scorebook
from bots.uniform_random import UniformRandom
from salvo.server import in_play
from salvo.server.database.server_database import folder_of
from salvo.server.in_play import Publisher, games_in_play

RULES = preset("ramesh-5")
FIXTURES = (Fixture("one", "a", "b", 0, (1, 2)), Fixture("other", "b", "a", 0, (3, 4)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of a league in which a server keeps its files."""
    folder_of(tmp_path).mkdir()
    return tmp_path


def publishing_all(folder: Path) -> Publisher:
    """Return what publishes all games, as those of slow bots are."""
    return Publisher(folder, followed_s=-1, at_once=10_000)


@pytest.fixture
def publisher(folder: Path) -> Iterator[Publisher]:
    with closing(publishing_all(folder)) as publisher:
        yield publisher


class Looking:
    """Publishes, and looks each time at what others can read then."""

    def __init__(
        self, publisher: Publisher, league: Path, look: Callable[[Scorebook], None] | None = None
    ) -> None:
        self.publisher, self._league, self._look = publisher, league, look
        self.seen: list[tuple[str, int, bool]] = []

    def acted(self, book: Scorebook) -> None:
        self.publisher.acted(book)
        if self._look is not None:
            self._look(book)
        for one in games_in_play(self._league):
            if one.fixture.id == book.fixture.id:
                self.seen.append((one.fixture.id, len(one.steps), one.game is None))

    def ended(self, outcome: Game | Void) -> None:
        self.publisher.ended(outcome)


def play(observer: Publisher | Looking | None) -> list[Game]:
    players = {name: InProcessPlayer(UniformRandom, view(RULES), UNHURRIED) for name in ("a", "b")}
    block = Block(("a", "b"), 0, FIXTURES)
    games, _ = play_block(
        block, RULES, UNHURRIED, players, lambda one, _: one.seeds, observer=observer
    )
    return list(games)


def test_slow_game_is_published_step_by_step_and_is_the_same_as_unwatched(
    folder: Path, publisher: Publisher
) -> None:
    looking = Looking(publisher, folder)
    games = play(looking)
    assert list(map(comparable, games)) == list(map(comparable, play(None)))
    assert looking.seen == [
        (game.fixture.id, step, True) for game in games for step in range(2, 1 + len(game.steps))
    ]


def test_end_of_a_game_is_published_without_its_seeds_until_two_more_have_begun(
    folder: Path, publisher: Publisher
) -> None:
    games = play(publisher)
    found = {one.fixture.id: one for one in games_in_play(folder)}
    for game in games:
        shown = found[game.fixture.id].game
        assert shown is not None
        assert shown.fixture.seeds == (0, 0)
        assert (shown.result, shown.steps) == (game.result, game.steps)


def test_quick_games_are_not_published(folder: Path) -> None:
    with closing(Publisher(folder, followed_s=600)) as publisher:
        looking = Looking(publisher, folder)
        play(looking)
    assert looking.seen == games_in_play(folder) == []


def test_no_more_is_written_than_the_limit_however_fast_a_long_game_goes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_play, "A_SECOND", 0)
    with closing(Publisher(folder, followed_s=-1, at_once=3)) as publisher:
        looking = Looking(publisher, folder)
        play(looking)
    assert [step for game, step, _ in dict.fromkeys(looking.seen) if game == "one"] == [2, 3, 4]


class Written:
    """A game of which it is noted whether it is written, at times that a test sets."""

    def __init__(self, publisher: Publisher, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.games = 1000.0, 0
        self.publisher, self.book = publisher, Scorebook(FIXTURES[0], RULES)
        monkeypatch.setattr(in_play.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(publisher, "_write", self._note)

    def _note(self, _: object) -> None:
        self.games += 1

    def at(self, after_s: float, times: int = 1) -> int:
        """Return how many of some actions are written that come so many seconds later."""
        before, self.now = self.games, self.now + after_s
        for _ in range(times):
            self.publisher.acted(self.book)
        return self.games - before


def test_game_is_published_once_it_took_a_second_and_then_as_often_as_it_may(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Publisher(folder)) as publisher:
        publisher._counted = 1000.0
        written = Written(publisher, monkeypatch)
        assert written.at(0.0) == 0  # it begins
        assert written.at(0.875) == 0
        assert written.at(0.125, times=9) == 8
        assert [written.at(after_s) for after_s in (0.125, 0.125, 0.125)] == [0, 1, 0]
        assert written.at(1.125, times=9) == 5
        assert written.at(3600.0, times=99) == 8
        written.book = Scorebook(FIXTURES[1], RULES)
        assert written.at(3600.0) == 0  # another begins
        assert written.at(1.0) == 1


def test_game_as_long_as_its_part_of_the_file_is_published_and_a_longer_one_is_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = Scorebook(FIXTURES[0], RULES)
    size = len(msgspec.msgpack.encode(in_play.so_far(book, time.time())))
    for room, games in ((size + 8, 1), (size + 7, 0)):
        monkeypatch.setattr(in_play, "GAME_BYTES", room)
        with closing(publishing_all(folder)) as publisher:
            publisher.acted(book)
            publisher.acted(book)
            assert len(games_in_play(folder)) == games


def test_end_of_a_game_stays_beside_the_one_that_is_played_next(
    folder: Path, publisher: Publisher
) -> None:
    games = {game.fixture.id: game for game in play(None)}
    for fixture in FIXTURES:
        book = Scorebook(fixture, RULES)
        publisher.hides_fleets = True
        for _ in range(2):
            publisher.acted(book)
        found = [one for one in games_in_play(folder) if one.game is None]
        assert [(one.fixture.id, one.hides_fleets) for one in found] == [(fixture.id, True)]
        assert time.time() - 60 < found[0].began <= time.time()
        publisher.ended(games[fixture.id])
        publisher.ended(games[fixture.id])  # which it is once
    ended = games_in_play(folder)
    assert [(one.fixture.id, one.game is None, one.hides_fleets) for one in ended] == [
        ("one", False, False),
        ("other", False, False),
    ]
    publisher.acted(Scorebook(FIXTURES[0], RULES))
    publisher.ended(Void("one", 0, "a", "was killed"))  # before it was published
    assert games_in_play(folder) == ended


def test_void_game_is_not_in_play_any_more(folder: Path, publisher: Publisher) -> None:
    book = Scorebook(FIXTURES[0], RULES)
    publisher.acted(book)
    publisher.acted(book)
    assert [one.fixture.id for one in games_in_play(folder)] == ["one"]
    publisher.ended(Void("one", 0, "a", "was killed"))
    assert games_in_play(folder) == []


def _publish_and_wait(league: Path) -> None:
    book = Scorebook(FIXTURES[0], RULES)
    publisher = publishing_all(league)
    publisher.acted(book)
    publisher.acted(book)
    time.sleep(3600)


def test_game_of_a_killed_process_is_not_in_play_and_its_file_is_taken_again(
    folder: Path,
) -> None:
    process = get_context("fork").Process(target=_publish_and_wait, args=(folder,), daemon=True)
    process.start()
    deadline = time.monotonic() + 60
    while not games_in_play(folder):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert process.pid is not None
    with closing(Publisher(folder)):
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        assert games_in_play(folder) == []
        with closing(Publisher(folder)):
            assert len(list((folder_of(folder) / in_play.FOLDER).iterdir())) == 2


@pytest.mark.parametrize("case", ["no folder", "too long", "torn", "not writable"])
def test_games_go_on_where_they_cannot_be_published(
    folder: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    place = folder_of(folder) / in_play.FOLDER

    def tear(_book: Scorebook) -> None:
        data = bytearray((place / "0").read_bytes())
        for part in range(40, len(data), in_play.GAME_BYTES):
            data[part] ^= 1
        (place / "0").write_bytes(data)

    if case == "no folder":
        place.write_text("a file", encoding="utf-8")
    if case == "too long":
        monkeypatch.setattr(in_play, "GAME_BYTES", 100)
    if case == "not writable":
        monkeypatch.setattr(os, "pwrite", _full)
    with closing(publishing_all(folder)) as publisher:
        looking = Looking(publisher, folder, tear if case == "torn" else None)
        assert list(map(comparable, play(looking))) == list(map(comparable, play(None)))
    assert looking.seen == []


def _full(*_: object) -> int:
    raise OSError(28, "no space left on device")

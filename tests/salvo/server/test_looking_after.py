"""Processes are begun, ended and begun again when they should be; here nothing is behind them."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.isolation import Choice, Level
from salvo.server.database.human_games import HumanGames
from salvo.server.database.keys import Visitor, find_key, new_invite
from salvo.server.database.queue import submission, submit
from salvo.server.database.server_database import Database, folder_of
from salvo.server.work import checkers, hosting, loops, supervisor, workers
from salvo.server.work.checkers import Checkers
from salvo.server.work.hosting import Hosts
from salvo.server.work.supervisor import Supervisor
from salvo.server.work.workers import Workers
from tests.salvo.server.conftest import Clock


class Process:
    """A process that does nothing, and ends when a test says so."""

    def __init__(self, target: Any, args: tuple[Any, ...], *, daemon: bool = False) -> None:  # noqa: ANN401 - a function
        self.target, self.args, self.daemon = target, args, daemon
        self.exitcode: int | None = None
        self.pid, self.sentinel = 0, self
        self.is_terminated = self.is_killed = False
        self.obeys = True

    def start(self) -> None: ...

    def is_alive(self) -> bool:
        return self.exitcode is None

    def terminate(self) -> None:
        self.is_terminated = True

    def kill(self) -> None:
        self.is_killed, self.exitcode = True, -9

    def join(self, _: float | None = None) -> None:
        if self.exitcode is None and self.is_terminated and self.obeys:
            self.exitcode = -15


class Processes:
    """The processes that were begun, and for how long it was waited."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[Process] = []
        self.waited: list[tuple[list[Process], float]] = []
        for module in (workers, hosting, checkers):
            context = SimpleNamespace(Process=self._begin)
            monkeypatch.setattr(module.multiprocessing, "get_context", lambda _, one=context: one)
            monkeypatch.setattr(module, "end_orphans", lambda _: None)
        monkeypatch.setattr(workers.connection, "wait", self._wait)

    def _begin(self, **settings: Any) -> Process:  # noqa: ANN401 - of a process
        self.begun.append(Process(**settings))
        return self.begun[-1]

    def _wait(self, processes: list[Process], patience_s: float) -> None:
        self.waited.append((processes, patience_s))


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Processes:
    del clock
    return Processes(monkeypatch)


def log(league: Path) -> list[str]:
    with Database(league) as db:
        return [words for _, words in reversed(db.log(100))]


def test_worker_that_ends_is_started_again_after_two_seconds(
    tmp_path: Path, processes: Processes, clock: Clock
) -> None:
    with Workers(tmp_path, ("play", "rate")) as running:
        running.look_after(0.5)
        play, rate = processes.begun
        assert [one.args for one in (play, rate)] == [
            (role, tmp_path, os.getpid()) for role in ("play", "rate")
        ]
        assert processes.waited == [([play, rate], 0.5)]
        play.exitcode, rate.exitcode = 3, 0
        running.look_after(0.5)
        clock.now += 1.75
        running.look_after(0.5)
        assert processes.begun == [play, rate]
        assert processes.waited[-1] == ([], 0.5)
        clock.now += 0.25
        running.look_after(0.5)
        _, _, again, rates = processes.begun
        assert log(tmp_path) == ["'play' ended with code 3; it is started again"]
        again.exitcode = 4
        running.look_after(0.5)
        clock.now += 2.0
        running.look_after(0.5)
        assert len(processes.begun) == 5
    assert (rates.is_terminated, processes.begun[-1].is_terminated) == (True, True)


def test_workers_that_end_with_their_process_are_started_again_after_two_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    begun: list[Any] = []

    def begin(command: list[str], **_: object) -> Any:  # noqa: ANN401 - stands in for a process
        one = SimpleNamespace(command=command, returncode=None, said=list[str]())
        one.poll = lambda: one.returncode

        def wait(seconds: float | None = None) -> None:
            one.said.append(f"wait {seconds}")
            if seconds is not None and len(begun) > 1:
                raise subprocess.TimeoutExpired("it", seconds)

        one.wait, one.kill = wait, lambda: one.said.append("kill")
        one.terminate = lambda: one.said.append("terminate")
        begun.append(one)
        return one

    monkeypatch.setattr(subprocess, "Popen", begin)
    for name in ("end_orphans", "end_children"):
        monkeypatch.setattr(supervisor, name, lambda *_: None)
    with Supervisor(tmp_path, ("play", "rate")) as one:
        module = [sys.executable, "-m", "salvo.server.work.process"]
        assert begun[0].command == [*module, str(tmp_path), str(os.getpid()), "play", "rate"]
        one.look_after()
        begun[0].returncode = 7
        one.look_after()
        clock.now += 1.75
        one.look_after()
        assert len(begun) == 1
        clock.now += 0.25
        one.look_after()
        one.look_after()
        assert len(begun) == 2
        begun[1].returncode = 8
        one.look_after()
        assert len(begun) == 2
    told = "the workers ended with code 7; they are started again"
    assert log(tmp_path) == [told]
    assert begun[1].said == ["terminate", "wait 20.0", "kill", "wait None"]


class Table:
    """Games of people, and what hosts them."""

    def __init__(self, league: Path, games: HumanGames) -> None:
        self.games = games
        self.hosts = Hosts(league, Choice(Level.SANDBOX, ()))

    def begin(self, player: str) -> str:
        return self.games.begin(bot="bob@1", seat="first", player=player, address="", places=9)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with HumanGames(tmp_path) as games:
        found = Table(tmp_path, games)
        with found.hosts:
            yield found


def test_game_of_a_person_has_a_process_while_it_is_in_play(
    table: Table, processes: Processes, clock: Clock
) -> None:
    table.hosts.look_after(0.5)
    assert processes.begun == []
    games = [table.begin("ada"), table.begin("bob")]
    table.hosts.look_after(0.5)
    ada, bob = processes.begun
    assert [one.args[1] for one in (ada, bob)] == games
    assert [patience_s for _, patience_s in processes.waited] == [0.5, 0.5]
    table.hosts.look_after(0.5)
    assert processes.waited[-1] == ([ada, bob], 0.02)
    table.hosts.look_after(0.01)
    assert processes.waited[-1][1] == 0.01
    table.games.leave(games[0])
    table.hosts.look_after(0.5)
    assert (ada.is_terminated, bob.is_terminated) == (True, False)
    ada.exitcode = -15
    table.hosts.look_after(0.5)
    clock.now += 1.0
    table.hosts.look_after(0.5)
    assert processes.begun == [ada, bob]


def test_game_whose_process_ends_is_gone_on_with_twice_and_then_void(
    tmp_path: Path, table: Table, processes: Processes, clock: Clock
) -> None:
    game = table.begin("ada")
    table.hosts.look_after(0.5)
    for attempt in (1, 2, 3):
        assert len(processes.begun) == attempt
        processes.begun[-1].exitcode = 5
        table.hosts.look_after(0.5)
        clock.now += 1.0
        table.hosts.look_after(0.5)
    assert len(processes.begun) == 3
    found = table.games.find(game)
    assert found is not None
    assert (found.state, found.reason) == (
        "void",
        "this game is void: the server failed to go on with it; its operator can see why",
    )
    assert log(tmp_path) == ["a game of a person ended with code 5 each time, and is void"]


def test_place_of_a_quiet_person_is_seen_to_be_free_although_nothing_was_written(
    table: Table, processes: Processes, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.begin("ada")
    table.hosts.look_after(0.5)
    later = time.time() + 3600
    monkeypatch.setattr(time, "time", lambda: later)
    table.hosts.look_after(0.5)
    clock.now += 0.75
    table.hosts.look_after(0.5)
    assert not processes.begun[0].is_terminated
    clock.now += 0.25
    table.hosts.look_after(0.5)
    assert processes.begun[0].is_terminated


class Queue:
    """A league in whose queue bots wait, each of another author."""

    def __init__(self, league: Path) -> None:
        self.league = league
        (folder_of(league) / "uploads").mkdir(parents=True)
        self.ids: list[str] = []

    def hand_in(self, *names: str) -> None:
        with Database(self.league) as db:
            for name in names:
                key = find_key(db, new_invite(db, name))
                assert key is not None
                file = folder_of(self.league) / "uploads" / ".part"
                file.touch()
                done = submit(
                    db,
                    self.league,
                    Visitor((key,)),
                    name=name,
                    file=".py",
                    address=name,
                    upload=file,
                )
                self.ids.append(done.id)

    def states(self) -> list[str]:
        with Database(self.league) as db:
            found = [submission(db, one) for one in self.ids]
        return [one.state for one in found if one is not None]


NAMES = ("ada", "bob", "cleo", "dora", "emmy")


@pytest.fixture
def queue(league: Path) -> Queue:
    found = Queue(league)
    found.hand_in(*NAMES)
    return found


def test_four_bots_are_checked_at_once_and_the_next_once_one_is_done(
    queue: Queue, processes: Processes
) -> None:
    with Checkers(queue.league) as running:
        running.look_after(0.5)
        assert [one.args[1].name for one in processes.begun] == list(NAMES[:4])
        running.look_after(0.25)
        assert len(processes.begun) == 4
        assert processes.waited[-1] == (processes.begun, 0.25)
        with Database(queue.league) as db:
            db.execute("UPDATE submissions SET state = 'accepted' WHERE name = 'bob'")
        running.look_after(0.5)
        bob = processes.begun[1]
        assert (bob.is_terminated, len(processes.begun)) == (False, 4)  # it packs copies
        bob.exitcode = 0
        running.look_after(0.5)
        assert [one.args[1].name for one in processes.begun[4:]] == ["emmy"]
    assert log(queue.league) == []
    assert [one.exitcode for one in processes.begun] == [-15, 0, -15, -15, -15]


@pytest.mark.parametrize(
    ("change", "is_ended"),
    [
        ("UPDATE submissions SET state = 'refused', reason = 'it was withdrawn'", True),
        ("UPDATE submissions SET state = 'refused', reason = 'it fails its check'", False),
        ("UPDATE submissions SET state = 'failed'", False),
        ("UPDATE submissions SET state = 'accepted'", False),
        ("UPDATE names SET banned = 1", True),
        ("DELETE FROM names", True),
        ("DELETE FROM submissions", True),
        ("UPDATE submissions SET file = '.js'", False),
    ],
)
def test_check_is_ended_once_nobody_wants_to_know_what_comes_of_it(
    queue: Queue,
    processes: Processes,
    change: str,
    is_ended: bool,  # noqa: FBT001 - a case
) -> None:
    with Checkers(queue.league) as running:
        running.look_after(0.5)
        with Database(queue.league) as db:
            db.execute(f"{change} WHERE name = 'cleo'")
        running.look_after(0.5)
        begun = processes.begun[:4]
        assert [one.is_terminated for one in begun] == [False, False, is_ended, False]


def test_check_that_ended_without_a_verdict_is_begun_again(
    queue: Queue, processes: Processes
) -> None:
    with Checkers(queue.league) as running:
        running.look_after(0.5)
        processes.begun[0].exitcode = 9
        running.look_after(0.5)
        assert log(queue.league) == ["checking ada ended with code 9; it is checked again"]
        assert [one.args[1].name for one in processes.begun[4:]] == ["ada"]


def test_checks_wait_where_copies_cannot_be_stored_and_go_on_one_by_one(
    queue: Queue, processes: Processes, clock: Clock
) -> None:
    told = ["checks wait: this machine cannot store the copies; stderr says why"]
    with Checkers(queue.league) as running:
        running.look_after(0.5)
        for one in processes.begun:
            one.exitcode = os.EX_TEMPFAIL
        running.look_after(0.5)
        assert log(queue.league) == told
        assert queue.states() == ["queued"] * 5
        assert len(processes.begun) == 4
        clock.now += 1.0
        running.look_after(0.5)
        assert [one.args[1].name for one in processes.begun[4:]] == ["emmy"]
        with Database(queue.league) as db:
            db.execute("UPDATE submissions SET state = 'accepted' WHERE name = 'emmy'")
        processes.begun[4].exitcode = 0
        running.look_after(0.5)
        assert len(processes.begun) == 9  # there is room again
        assert log(queue.league) == told


def test_process_that_does_not_end_is_killed(queue: Queue, processes: Processes) -> None:
    with Checkers(queue.league) as running:
        running.look_after(0.5)
        processes.begun[0].obeys = False
    assert [one.exitcode for one in processes.begun] == [-9, -15, -15, -15]


def test_ratings_rest_two_seconds_or_five_times_what_they_took(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    from salvo.server.work import rating  # noqa: PLC0415 - as the loop does

    used_s, wanted, rated_at = [0.0], ["1"], list[float]()
    awaited: list[str] = []
    costs = iter((0.25, 0.5, 3.0, 0.25, 0.25))

    def rate(_: Path) -> None:
        rated_at.append(clock.now - 1000)
        used_s[0] += next(costs)

    def sleep(seconds: float) -> None:
        assert seconds == 0.3
        clock.now += 0.5

    def changed() -> None:
        wanted[0] = str(clock.now) if clock.now > 1001 else "1"
        if clock.now == 1006:
            awaited.append("sprint")

    league = SimpleNamespace(record=tmp_path / "none")
    watched = SimpleNamespace(changed=changed, league=league)
    monkeypatch.setattr(loops, "Watched", lambda _: watched)
    monkeypatch.setattr(loops, "opened", lambda _: Database(tmp_path))
    monkeypatch.setattr(loops, "signature", lambda *_: wanted[0])
    monkeypatch.setattr(rating, "rate_again", rate)
    monkeypatch.setattr(loops, "looks_due", lambda *_: awaited[:1])
    monkeypatch.setattr(time, "process_time", lambda: used_s[0])
    monkeypatch.setattr(time, "sleep", sleep)
    goes_on: Callable[[], bool] = lambda: clock.now < 1007  # noqa: E731 - it is short
    loops._rate(tmp_path, goes_on)
    # At first, two seconds later, five times half a second later; then for a look, without rest.
    assert rated_at == [0.0, 2.0, 4.5, 6.0, 6.5]

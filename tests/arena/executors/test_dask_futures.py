"""Blocks on a cluster: what is submitted, and what comes of each answer; nothing is started."""

import logging
import pickle
import secrets
from collections.abc import Callable
from concurrent.futures import CancelledError
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from arena.errors import UserError
from arena.executors import WorkerError, cluster, dask_futures, dask_task
from arena.executors.cluster import Cluster
from arena.executors.dask_futures import Futures
from arena.executors.dask_task import (
    Broken,
    Missing,
    Outcome,
    Played,
    Refused,
    Software,
    Task,
    played_on_worker,
    software,
)
from arena.executors.payload import INLINE_BYTES, Answer, Job, LogLine, Payload
from arena.records import Block, BlockRecord

BLOCKS = [Block(("small", "large"), number, ()) for number in range(8)]
PAYLOAD = Payload(
    program="arena.plays",
    task=b"task",
    level="none",
    packages=(),
    packed={"h1": bytes(INLINE_BYTES), "h2": bytes(INLINE_BYTES + 1)},
    bots={"small": "h1", "large": "h2", "another": "h1"},
)
ADDRESS = "tcp://s:1"


class KilledWorker(Exception):  # noqa: N818 - Dask names it so
    pass


class Future:
    """A block that was submitted, and what becomes of it."""

    def __init__(self, key: str, **how: object) -> None:
        self.key, self.how = key, how
        self.status = "pending"
        self.outcome: bytes | Exception = b""
        self.tell: Callable[[Future], object] = lambda _: None

    def add_done_callback(self, tell: Callable[["Future"], object]) -> None:
        self.tell = tell

    def end(self, status: str, outcome: Outcome | Exception) -> None:
        self.status = status
        failed = isinstance(outcome, Exception)
        self.outcome = outcome if failed else msgspec.msgpack.encode(outcome)
        self.tell(self)

    def exception(self) -> object:
        return self.outcome

    def result(self, timeout: float) -> bytes:
        assert timeout == 10.0
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


class Client:
    """Stands for a client of a cluster."""

    def __init__(self) -> None:
        self.sent: list[Future] = []
        self.cancelled: list[str] = []
        self.asked = 0
        self.status = "running"
        self.executing: dict[str, list[str]] | None = {}
        self.software: dict[str, object] | None = {}
        self.closed: list[float] = []
        self.scheduler = SimpleNamespace(address=ADDRESS, identity="identity")
        self.threads = 1
        self.plays: Callable[[Future], object] = lambda _: None

    def submit(self, function: object, call: bytes, **how: Any) -> Future:  # noqa: ANN401 - any
        assert function is pickle.loads
        assert how["pure"] is False
        self.sent.append(Future(how.pop("key"), call=call, **how))
        self.plays(self.sent[-1])
        return self.sent[-1]

    def run(self, function: object, *given: object, **how: object) -> dict[str, Any]:
        assert how["callback_timeout"] == 10.0
        asked = self.software if function is software else self.executing
        assert given == (((),) if function is software else ())
        assert how["on_error"] == ("return" if function is software else "ignore")
        self.asked += function is played_on_worker
        if asked is None:
            raise TimeoutError
        return asked

    def cancel(self, futures: list[Future], *, force: bool) -> None:
        assert force
        self.cancelled += [future.key for future in futures]

    def sync(self, *_given: object, **_named: object) -> dict[str, Any]:
        worker = {"nthreads": self.threads, "last_seen": 1.0, "status": "running"}
        return {"workers": {"w": worker}}

    def close(self, timeout: float) -> None:
        self.closed.append(timeout)
        raise TimeoutError


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setattr(dask_futures, "LOOK_UP_S", 0.001)
    monkeypatch.setattr(secrets, "token_hex", lambda size: "r" * size)
    return Client()


@pytest.fixture
def futures(client: Client) -> Futures:
    return Futures(client, PAYLOAD, ADDRESS)


def feed(*blocks: Block) -> Callable[[], Block | None]:
    left = iter(blocks)
    return lambda: next(left, None)


def task_of(future: Future, monkeypatch: pytest.MonkeyPatch) -> Task:
    """Return what a worker is asked by a future."""
    with monkeypatch.context() as patched:
        patched.setattr(dask_task, "run_on_worker", lambda task: task)
        call = pickle.loads(future.how["call"])  # type: ignore[arg-type] # noqa: S301 - made here
    task: Task = msgspec.msgpack.decode(call, type=Task)
    return task


def key(number: int, attempt: int) -> str:
    return f"salvo-rrrrrrrr-small+large-{number}-{attempt}"


def played(record: BlockRecord | None = None, **given: object) -> Played:
    return Played(msgspec.msgpack.encode(Answer(record, **given)))  # type: ignore[arg-type]


def test_blocks_are_submitted_up_to_a_number(client: Client, futures: Futures) -> None:
    more = feed(*BLOCKS[:3])
    for most, sent in ((0, 0), (2, 2), (2, 2), (3, 3), (9, 3)):
        futures.submit(more, most)
        assert [future.key for future in client.sent] == [key(number, 0) for number in range(sent)]
    assert list(futures.pending) == [key(number, 0) for number in range(3)]
    assert {(one.how["workers"], one.how["allow_other_workers"]) for one in client.sent} == {
        (None, False)
    }


def test_small_bots_come_with_the_block_and_large_ones_when_they_are_missing(
    client: Client, futures: Futures, monkeypatch: pytest.MonkeyPatch
) -> None:
    futures.submit(feed(BLOCKS[0]), 1)
    task = task_of(client.sent[0], monkeypatch)
    bots = {"small": "h1", "large": "h2"}
    level = logging.getLogger().getEffectiveLevel()
    job = msgspec.msgpack.decode(task.job, type=Job)
    assert job == Job(b"task", BLOCKS[0], "none", bots, level)
    assert task == Task("arena.plays", software(()), (), task.job, ("h1", "h2"), task.enclosed)
    assert sorted(task.enclosed) == ["h1"]
    client.sent[0].end("finished", Missing("tcp://w:1", ("h2",)))
    assert futures.complete() is None
    assert list(futures.pending) == [key(0, 1)]
    again = client.sent[1]
    assert again.key == key(0, 1)
    assert (again.how["workers"], again.how["allow_other_workers"]) == (["tcp://w:1"], True)
    assert sorted(task_of(again, monkeypatch).enclosed) == ["h1", "h2"]


def test_bots_of_one_content_are_sent_once() -> None:
    task = PAYLOAD.to_task(Block(("small", "another"), 0, ()), 30)
    assert msgspec.msgpack.decode(task, type=Task).hashes == ("h1",)


def test_record_comes_with_the_log_of_who_played(
    client: Client, futures: Futures, caplog: pytest.LogCaptureFixture
) -> None:
    assert futures.complete() is None  # there is nothing yet
    futures.submit(feed(BLOCKS[0]), 1)
    record = BlockRecord(BLOCKS[0], (), "none")
    lines = (LogLine("arena.far", logging.WARNING, "100% done"),)
    client.sent[0].end("finished", played(record, log=lines))
    assert futures.complete() == record
    assert caplog.record_tuples == [("arena.far", logging.WARNING, "100% done")]
    assert futures.pending == {}


@pytest.mark.parametrize(
    ("outcome", "kind", "said"),
    [
        (
            Refused("worker w has another"),
            UserError,
            "worker w has another; install the same on all machines",
        ),
        (Broken("it ended"), WorkerError, "it ended"),
        (
            played(refusal="there is no node"),
            UserError,
            f"--cluster {ADDRESS}: on a worker: there is no node",
        ),
        (played(trace="Traceback"), WorkerError, "a worker failed; this is a bug:\nTraceback"),
    ],
)
def test_worker_that_cannot_play_ends_the_run(
    client: Client, futures: Futures, outcome: Outcome, kind: type[Exception], said: str
) -> None:
    futures.submit(feed(BLOCKS[0]), 1)
    client.sent[0].end("finished", outcome)
    with pytest.raises(kind) as caught:
        futures.complete()
    assert (type(caught.value), str(caught.value)) == (kind, said)


def test_answer_that_does_not_come_is_waited_for_again(client: Client, futures: Futures) -> None:
    futures.submit(feed(BLOCKS[0]), 1)
    client.sent[0].end("finished", TimeoutError())
    client.sent[0].tell = lambda _: None
    assert futures.complete() is None
    assert list(futures.pending) == [key(0, 0)]
    record = BlockRecord(BLOCKS[0], (), "none")
    client.sent[0].end("finished", played(record))
    assert futures.complete() == record


def test_block_that_nobody_here_cancelled_was_lost_with_the_scheduler(
    client: Client, futures: Futures
) -> None:
    futures.submit(feed(BLOCKS[0]), 1)
    client.sent[0].end("cancelled", CancelledError())
    with pytest.raises(ConnectionError):
        futures.complete()


def test_block_over_which_workers_die_is_played_again_and_given_up_the_sixth_time(
    client: Client, futures: Futures, caplog: pytest.LogCaptureFixture
) -> None:
    futures.submit(feed(BLOCKS[0], BLOCKS[1]), 2)
    client.sent[1].end("error", KilledWorker())
    for attempt in range(6):
        [future] = [one for one in client.sent if one.key == key(0, attempt)]
        assert futures.given_up == []
        future.end("error", KilledWorker())
        assert futures.complete() is None
        assert futures.complete() is None
    assert futures.given_up == [BLOCKS[0]]
    assert list(futures.pending) == [key(1, 1)]
    assert caplog.messages == ["workers died over a block, which is played again"] * 6


def test_worker_without_salvo_is_told_from_one_with_a_bug(client: Client, futures: Futures) -> None:
    futures.submit(feed(*BLOCKS[:2]), 2)
    wrapped = RuntimeError("Error during deserialization")
    wrapped.__cause__ = ModuleNotFoundError("No module named 'arena'")
    client.sent[0].end("error", wrapped)
    with pytest.raises(UserError) as caught:
        futures.complete()
    assert str(caught.value) == (
        f'--cluster {ADDRESS}: a worker has no such Salvo (ModuleNotFoundError("No module named '
        f"'arena'\")), and {software(())} is needed; install the same on all machines"
    )
    client.sent[1].end("error", ValueError("odd"))
    with pytest.raises(WorkerError, match=r"^a worker failed; this is a bug: ValueError\('odd'\)$"):
        futures.complete()


def test_blocks_that_no_worker_plays_are_dropped_at_a_stop(
    client: Client, futures: Futures
) -> None:
    futures.submit(feed(*BLOCKS[:4]), 4)
    client.executing = {"w1": [key(0, 0)], "w2": []}
    client.sent[1].status = "finished"  # on its way here
    futures.drop_waiting()
    assert client.cancelled == [key(2, 0), key(3, 0)]
    assert list(futures.pending) == [key(0, 0), key(1, 0)]
    client.sent[2].end("cancelled", CancelledError())
    assert futures.complete() is None  # it was dropped
    client.executing = None  # a worker does not answer
    futures.drop_waiting()
    assert list(futures.pending) == [key(0, 0), key(1, 0)]
    futures.cancel()
    assert client.cancelled[2:] == [key(0, 0), key(1, 0)]


@pytest.fixture
def connect(client: Client, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Cluster]:
    """Return what makes an executor whose client is the one of the test."""

    class Dask:
        def __new__(cls, where: str, **how: object) -> Any:  # noqa: ANN401 - a client of ours
            assert how == {"timeout": 10.0, "set_as_default": False}
            if where in {"tcp://nowhere:1", "tcp://local:1"}:
                raise OSError("no route")
            return client

    monkeypatch.setattr(cluster, "find_spec", lambda name: name == "distributed" or None)
    modules = {"distributed": SimpleNamespace(Client=Dask)}
    monkeypatch.setattr(cluster.importlib, "import_module", modules.__getitem__)
    theirs = logging.getLogger("distributed")
    monkeypatch.setattr(theirs, "handlers", [])
    monkeypatch.setattr(theirs, "propagate", theirs.propagate)

    def make(address: str = ADDRESS, stop: Callable[[], bool] = lambda: False) -> Cluster:
        return Cluster(address, PAYLOAD, 1, stop=stop)

    return make


def nobody(block: Block) -> BlockRecord:
    raise AssertionError(block)


def play_at_once(client: Client, future: Future) -> None:
    number = len(client.sent) - 1
    future.status = "finished"
    record = BlockRecord(BLOCKS[number], (), "none")
    future.outcome = msgspec.msgpack.encode(played(record))
    future.add_done_callback = lambda tell: tell(future)  # type: ignore[method-assign]


def test_all_blocks_are_played_two_for_each_thread_at_once(
    client: Client, connect: Callable[..., Cluster]
) -> None:
    client.plays = lambda future: play_at_once(client, future)
    client.threads = 2
    asked = feed(*BLOCKS)
    records = connect().run(asked, nobody)
    assert next(records).block == BLOCKS[0]
    assert len(client.sent) == 5  # four, and one more for that which is played
    assert [record.block for record in records] == BLOCKS[1:]
    assert client.closed == [2.0]
    assert client.cancelled == []


def test_run_that_is_left_cancels_its_blocks(
    client: Client, connect: Callable[..., Cluster]
) -> None:
    client.plays = lambda future: play_at_once(client, future)
    records = connect().run(feed(*BLOCKS), nobody)
    next(records)
    records.close()
    assert len(client.cancelled) == 2
    assert client.closed == [2.0]


def test_stop_drops_what_waits_and_brings_what_is_played(
    client: Client, connect: Callable[..., Cluster]
) -> None:
    stops = iter([False, True, True, True])

    def stop() -> bool:
        stopped = next(stops)
        if stopped:
            client.executing = {"w": [key(0, 0)]}
            if client.cancelled:
                client.sent[0].end("finished", played(BlockRecord(BLOCKS[0], (), "none")))
        return stopped

    blocks = iter(BLOCKS[:2])
    records = connect(stop=stop).run(lambda: next(blocks, None), nobody)
    assert [record.block for record in records] == [BLOCKS[0]]
    assert client.cancelled == [key(1, 0)]
    assert client.asked == 1


def test_stop_of_a_cluster_in_trouble_waits_for_nothing(
    client: Client, connect: Callable[..., Cluster]
) -> None:
    client.threads = 0
    assert list(connect(stop=lambda: True).run(feed(*BLOCKS), nobody)) == []
    assert client.cancelled == [key(0, 0)]


def test_blocks_that_were_given_up_are_named_at_the_end(
    client: Client, connect: Callable[..., Cluster]
) -> None:
    def dies(future: Future) -> None:
        future.status, future.outcome = "error", KilledWorker()
        future.add_done_callback = lambda tell: tell(future)  # type: ignore[method-assign]

    client.plays = dies
    with pytest.raises(UserError) as caught:
        list(connect().run(feed(BLOCKS[3]), nobody))
    assert str(caught.value) == (
        f"{BLOCKS[3]}: Dask gave up each 6 times, since the workers that played it died. A bot may "
        "have killed them, or memory ran out: choose a stronger --isolation, give workers more "
        "memory, or leave a bot out. All other games are in the record"
    )


@pytest.mark.parametrize(("address", "again"), [(ADDRESS, " once it is back"), ("local", "")])
def test_scheduler_that_goes_away_is_a_users_error(
    client: Client,
    connect: Callable[..., Cluster],
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    again: str,
) -> None:
    started: list[object] = []

    class Local:
        def __enter__(self) -> str:
            return ADDRESS

        def __exit__(self, *_how: object) -> None:
            started.append("ended")

    monkeypatch.setattr(
        cluster, "local_cluster", lambda workers: started.append(workers) or Local()
    )
    client.status = "closed"
    with pytest.raises(UserError) as caught:
        list(connect(address).run(feed(), nobody))
    assert str(caught.value) == (
        f"--cluster {address}: the scheduler is gone; what was committed is safe, and the same "
        f"command goes on from there{again}"
    )
    assert started == ([1, "ended"] if address == "local" else [])


def test_address_where_no_scheduler_answers_is_a_users_error(
    connect: Callable[..., Cluster],
) -> None:
    with pytest.raises(UserError) as caught:
        list(connect("tcp://nowhere:1").run(feed(), nobody))
    assert str(caught.value) == (
        "--cluster tcp://nowhere:1: no scheduler answers there (no route); start one with `dask "
        "scheduler`, and name the address that it prints"
    )


MINE = software(())
OTHER = Software("0.1", "0123456789", "3.9")


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, None),  # a worker was stopped: each refuses what it cannot play
        ({}, None),
        ({"w": MINE}, None),
        ({"w": OSError("it is gone"), "x": MINE}, None),
        ({"x": OTHER, "w": MINE}, "x has Salvo 0.1 (01234567) on Python 3.9"),
        ({"x": OTHER, "w": OTHER}, "w has Salvo 0.1 (01234567) on Python 3.9"),
        ({"w": ImportError("arena")}, "w has no such Salvo (arena)"),
    ],
)
def test_workers_with_other_software_are_refused_before_a_game(
    client: Client,
    connect: Callable[..., Cluster],
    found: dict[str, object] | None,
    said: str | None,
) -> None:
    client.software = found
    records = connect().run(feed(), nobody)
    if said is None:
        assert list(records) == []
        return
    with pytest.raises(UserError) as caught:
        list(records)
    needed = f"and {MINE} is needed; install the same on all machines"
    assert str(caught.value) == f"worker {said}, {needed}"


def test_cluster_needs_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    with pytest.raises(UserError, match=r"^--cluster tcp://s:1: Dask is not installed; "):
        Cluster(ADDRESS, PAYLOAD, 1)

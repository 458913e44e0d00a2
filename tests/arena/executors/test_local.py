import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest

from arena.errors import RulesError, UserError
from arena.executors import Executor, LocalWorkers, NextBlock, Play, ThisProcess, WorkerError
from arena.executors.places import BESIDE_MOST
from arena.isolation import Level, Program, children_of, start
from arena.records import Block, BlockRecord

BLOCKS = [Block(("a", "b"), number, ()) for number in range(7)]


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    threads, children = threading.enumerate(), children_of(os.getpid())
    yield
    assert threading.enumerate() == threads
    assert children_of(os.getpid()) == children


def feed(blocks: Iterable[Block]) -> NextBlock:
    return partial(next, iter(blocks), None)


def play(block: Block) -> BlockRecord:
    return BlockRecord(block, (), f"level {block.number}")


def numbers(executor: Executor, play: Play, blocks: Iterable[Block] = BLOCKS) -> list[int]:
    return sorted(record.block.number for record in executor.run(feed(blocks), play))


def fork(workers: int) -> LocalWorkers:
    return LocalWorkers(workers, "fork")


@pytest.mark.parametrize("workers", [1, 2, 20])
def test_any_number_of_workers_brings_the_records_of_one_process(workers: int) -> None:
    records = sorted(fork(workers).run(feed(BLOCKS), play), key=lambda record: record.block.number)
    assert records == list(ThisProcess().run(feed(BLOCKS), play))


def test_nothing_to_play_starts_nothing() -> None:
    assert list(fork(2).run(feed([]), play)) == []


def test_worker_that_is_killed_is_replaced_and_its_block_played_anew(tmp_path: Path) -> None:
    def die_once(block: Block) -> BlockRecord:
        mark = tmp_path / str(block.number)
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return play(block)

    assert numbers(fork(2), die_once) == list(range(7))


def test_block_that_ends_worker_after_worker_is_given_up_when_all_others_are_played() -> None:
    def die(block: Block) -> BlockRecord:
        if block.number in (2, 5):
            os.kill(os.getpid(), signal.SIGKILL)
        return play(block)

    records = fork(2).run(feed(BLOCKS), die)
    assert sorted(next(records).block.number for _ in range(5)) == [0, 1, 3, 4, 6]
    with pytest.raises(UserError, match="block 2 of a and b, block 5 of a and b: 4 workers died"):
        next(records)


def test_bots_of_a_worker_that_is_killed_end(tmp_path: Path) -> None:
    def leave_a_bot(block: Block) -> BlockRecord:
        if not list(tmp_path.iterdir()):
            bot = start(Level.NONE, Program(("sleep", "60"), "/", ()))
            (tmp_path / str(bot.pid)).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return play(block)

    assert numbers(fork(1), leave_a_bot) == list(range(7))
    [bot] = tmp_path.iterdir()
    assert not Path(f"/proc/{bot.name}").exists()


def test_children_that_the_process_had_before_are_left_alone() -> None:
    before = start(Level.NONE, Program(("sleep", "60"), "/", ()))
    try:
        numbers(fork(1), play)
        assert before.status() is None
    finally:
        before.kill()


def test_exception_in_a_worker_is_a_bug_and_brings_its_trace() -> None:
    def fail(block: Block) -> BlockRecord:
        raise ZeroDivisionError(block.number)

    with pytest.raises(WorkerError, match=r"(?s)this is a bug.*in fail.*ZeroDivisionError: 0"):
        numbers(fork(1), fail)


def test_mistake_of_the_user_that_shows_in_a_worker_is_reported_as_such() -> None:
    def refuse(block: Block) -> BlockRecord:
        del block
        raise RulesError("the board is too full")

    with pytest.raises(RulesError, match=r"^the board is too full$"):
        numbers(fork(1), refuse)


def test_closing_early_ends_the_workers() -> None:
    records = fork(2).run(feed(BLOCKS), play)
    assert next(records).block.number in range(7)
    records.close()


def test_logs_of_workers_reach_the_handlers_of_the_parent(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def log(block: Block) -> BlockRecord:
        logging.getLogger("arena.deep.inside").info("plays block %d", block.number)
        return play(block)

    with caplog.at_level(logging.INFO):
        numbers(fork(2), log)
    assert sorted(caplog.messages) == [f"plays block {number}" for number in range(7)]
    assert {record.name for record in caplog.records} == {"arena.deep.inside"}
    assert os.getpid() not in {record.process for record in caplog.records}


def test_levels_of_the_parent_hold_for_the_logs_of_workers(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def log(block: Block) -> BlockRecord:
        logging.getLogger("arena").info("whispers")
        return play(block)

    with caplog.at_level(logging.WARNING):
        numbers(fork(1), log)
    assert caplog.messages == []


def test_ctrl_c_in_a_worker_is_not_ignored_by_the_bots_it_starts() -> None:
    def look(block: Block) -> BlockRecord:
        bot = start(Level.NONE, Program(("sleep", "60"), "/", ()))
        try:
            [line] = [
                line
                for line in Path(f"/proc/{bot.pid}/status").read_text(encoding="utf-8").splitlines()
                if line.startswith("SigIgn")
            ]
        finally:
            bot.kill()
        assert not int(line.split()[1], 16) >> (signal.SIGINT - 1) & 1
        return play(block)

    numbers(fork(1), look)


def test_start_method_of_the_caller_stays_as_it_was() -> None:
    before = multiprocessing.get_start_method(allow_none=True)
    numbers(fork(1), play)
    assert multiprocessing.get_start_method(allow_none=True) == before


Wait = Callable[[Callable[[], bool]], None]


def test_worker_that_will_not_leave_is_killed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wait_for: Wait
) -> None:
    monkeypatch.setattr("arena.executors.worker.LEAVE_S", 0.1)

    def hang(block: Block) -> BlockRecord:
        if block.number == 0:
            return play(block)
        (tmp_path / "hangs").touch()
        os.kill(os.getpid(), signal.SIGSTOP)
        raise AssertionError("it went on")

    records = fork(1).run(feed(BLOCKS), hang)
    next(records)
    wait_for((tmp_path / "hangs").exists)
    records.close()


def test_block_that_is_void_is_ended_with_its_bots_and_forgotten(tmp_path: Path) -> None:
    def play_for_ever(block: Block) -> BlockRecord:
        if block.number == 3:
            start(Level.NONE, Program(("sleep", "600"), "/", ()))
            (tmp_path / "begun").touch()
            signal.pause()
        return play(block)

    executor = LocalWorkers(
        2, "fork", void=lambda block: block.number == 3 and (tmp_path / "begun").exists()
    )
    assert numbers(executor, play_for_ever) == [0, 1, 2, 4, 5, 6]


def test_free_worker_gets_what_comes_while_another_one_plays(tmp_path: Path) -> None:
    late = iter([BLOCKS[0], None, BLOCKS[1]])

    def wait_for_the_other(block: Block) -> BlockRecord:
        if block.number == 1:
            (tmp_path / "played").touch()
        while not (tmp_path / "played").exists():
            time.sleep(0.01)
        return play(block)

    executor = LocalWorkers(2, "fork", void=lambda _: False)
    records = executor.run(lambda: next(late, None), wait_for_the_other)
    assert sorted(record.block.number for record in records) == [0, 1]


def test_blocks_that_wait_are_played_beside_those_of_the_workers(tmp_path: Path) -> None:
    def play_in_turn(block: Block) -> BlockRecord:
        if block.number == 6:
            (tmp_path / "last").touch()
        while block.number in {0, 1} and not (tmp_path / "last").exists():
            time.sleep(0.01)
        return play(block)

    executor = LocalWorkers(1, "fork", waits=lambda block: block.number in {0, 1})
    assert numbers(executor, play_in_turn) == list(range(7))


def test_blocks_that_wait_are_bounded_and_hold_up_no_others(tmp_path: Path) -> None:
    blocks = [Block(("a",), number, ()) for number in range(2 * BESIDE_MOST + 1)]

    def play_last_first(block: Block) -> BlockRecord:
        mark = tmp_path / str(block.number)
        mark.touch()
        if block.number == 2 * BESIDE_MOST:
            begun = len(list(tmp_path.iterdir()))
            assert begun <= BESIDE_MOST + 1
            (tmp_path / "last").touch()
        while not (tmp_path / "last").exists():
            time.sleep(0.01)
        return play(block)

    executor = LocalWorkers(1, "fork", waits=lambda block: block.number < 2 * BESIDE_MOST)
    assert numbers(executor, play_last_first, blocks) == list(range(2 * BESIDE_MOST + 1))


def test_blocks_that_were_held_back_are_not_begun_after_a_stop(tmp_path: Path) -> None:
    stopped = tmp_path / "stopped"

    def stop_then_play(block: Block) -> BlockRecord:
        stopped.touch()
        return play(block)

    # Block 1 is held back while block 0 is played, for one that waits, of which there is none.
    executor = LocalWorkers(1, "fork", waits=lambda _: False, stop=stopped.exists)
    following = iter(BLOCKS)
    records = executor.run(
        lambda: None if stopped.exists() else next(following, None), stop_then_play
    )
    assert [record.block.number for record in records] == [0]

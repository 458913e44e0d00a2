"""Measures the time and the most memory of one size, for `python -m benchmarks growth`.

``python -m benchmarks.costs.growing KIND SIZE FOLDER`` does it in a process of its own and prints
one line of JSON; ``measure`` starts it, so that each size has memory of its own.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from arena.entrants import Library, enter
from arena.executors import LocalWorkers, NextBlock, Play
from arena.isolation import Level, choose
from arena.records import (
    PAIRS_PER_BLOCK,
    PAIRS_PER_BLOCK_OF_A_FIELD,
    Block,
    BlockRecord,
    Game,
    Settings,
)
from arena.referee import play_bots
from arena.rules import Rules, Ship, preset
from arena.schedule import Plan
from arena.store import Store, Tournament
from arena.tournament import make_plan, run
from benchmarks.costs.own_process import answer, answer_of, peak_mb
from bots.uniform_random import UniformRandom
from salvo.bundled import bundled_bots

_NAME = "growth"
_GAMES_OF_A_SIZE = 6
_ASLEEP_S = 0.5
_BLOCKS_OF_A_WORKER = 10


class Cost(Struct, frozen=True):
    """The actual number, their processor time (wall time of what sleeps), and memory."""

    size: int
    seconds: float
    memory_mb: float


def measure(kind: str, size: int, folder: Path) -> Cost:
    """Return the cost of a size of one of ``KINDS``; some read the folder that another wrote to."""
    return answer_of("benchmarks.costs.growing", kind, size, folder, of=Cost)


def _record(games: int, folder: Path) -> tuple[int, float]:
    """Record games of ten bots, as a tournament does, and return how many and how long it took."""
    tournament, plan = _field(10, games)
    executor = _Generated()
    started = time.process_time()
    with Store(folder / f"{games}.sqlite3", create=True) as store:
        _run(tournament, plan, store, executor)
    return plan.most_games, time.process_time() - started


def _rate(games: int, folder: Path) -> tuple[int, float]:
    """Rate what ``_record`` recorded."""
    from salvo.reports.standings.standing import Standing  # noqa: PLC0415 - not in memory where one records

    started = time.process_time()
    with Store(folder / f"{games}.sqlite3", create=False) as store:
        standing = Standing(store, store.tournament(_NAME))
    assert standing.ratings is not None
    return int(standing.ratings.table["games"].sum()) // 2, time.process_time() - started


def _begin(bots: int, folder: Path) -> tuple[int, float]:
    """Enter bots, plan their round robin, and record its first block."""
    started = time.process_time()
    tournament, plan = _field(bots, bots * (bots - 1) * PAIRS_PER_BLOCK)
    with Store(folder / f"of-{bots}.sqlite3", create=True) as store:
        _run(tournament, plan, store, _Generated(most_blocks=1))
    return bots, time.process_time() - started


def _rate_bots(bots: int, _folder: Path) -> tuple[int, float]:
    """Rate bots of which every two played one pair of games."""
    from benchmarks.simulations.fields import large_field  # noqa: PLC0415 - likewise
    from leaderboards import rate  # noqa: PLC0415 - likewise

    games = large_field(bots * (bots - 1), bots, 1)
    started = time.process_time()
    rate(games)
    return bots, time.process_time() - started


def _play(cells: int, _folder: Path) -> tuple[int, float]:
    """Play games on a square board, and return the time of one."""
    side = round(cells**0.5)
    fleet = tuple(Ship(f"Ship of {length}", length) for length in (5, 4, 3, 3, 2))
    fleet = tuple(replace(ship, name=f"{ship.name}, {n}") for n, ship in enumerate(fleet))
    rules = Rules(name="growth", rows=side, columns=side, fleet=fleet)
    started = time.process_time()
    for seed in range(_GAMES_OF_A_SIZE):
        _played(rules, (seed, seed + 1000))
    return side * side, (time.process_time() - started) / _GAMES_OF_A_SIZE


def _employ(workers: int, _folder: Path) -> tuple[int, float]:
    """Let workers play blocks of bots that sleep; return the wall time of a block."""
    _, plan = _field(2, 2 * PAIRS_PER_BLOCK_OF_A_FIELD * _BLOCKS_OF_A_WORKER * workers)
    play = partial(_asleep, _played(preset("ramesh-1")), _ASLEEP_S)
    played = LocalWorkers(workers).run(partial(next, plan.blocks(), None), play)
    started = time.perf_counter()
    with closing(played) as records:
        count = len(list(records))
    return workers, (time.perf_counter() - started) / count


KINDS: dict[str, Callable[[int, Path], tuple[int, float]]] = {
    "record": _record,
    "rate": _rate,
    "begin": _begin,
    "rate-bots": _rate_bots,
    "play": _play,
    "employ": _employ,
}


class _Generated:
    """An executor that plays nothing: every game has the course of one that was played."""

    def __init__(self, most_blocks: int | None = None) -> None:
        self._template = _played(preset("salvo"))
        self._most_blocks = most_blocks

    def run(self, next_block: NextBlock, play: Play) -> Iterator[BlockRecord]:
        del play
        for block in islice(iter(next_block, None), self._most_blocks):
            yield _asleep(self._template, 0.0, block)


def _played(rules: Rules, seeds: tuple[int, int] = (0, 1)) -> Game:
    """Return a game between bots of this process that shoot at random."""
    return play_bots([UniformRandom(), UniformRandom()], rules, seeds=seeds)


def _asleep(template: Game, seconds: float, block: Block) -> BlockRecord:
    """Sleep, and return the record of a block whose games went as another one did."""
    time.sleep(seconds)
    games = tuple(
        replace(template, fixture=one, result="first" if one.seeds[0] % 2 else "second")
        for one in block.fixtures
    )
    return BlockRecord(block, games, "{}")


def _field(bots: int, games: int) -> tuple[Tournament, Plan]:
    """Return a tournament of equal bots, and a plan of about so many games."""
    bundled, words = bundled_bots(), ["uniform_random"]
    library = Library.around(bundled)
    entrants = [enter(f"bot{n:03}", words, bundled, library=library) for n in range(bots)]
    tournament = Tournament(
        name=_NAME,
        kind="tournament",
        rules=preset("salvo"),
        seed="1",
        settings=Settings(),
        entrants=tuple(entrants),
        block_pairs=PAIRS_PER_BLOCK_OF_A_FIELD,
    )
    pairs = max(1, round(games / (bots * (bots - 1))))
    return tournament, make_plan(tournament, games=2 * pairs, layouts=0)


def _run(tournament: Tournament, plan: Plan, store: Store, executor: _Generated) -> None:
    run(
        tournament,
        plan,
        executor=executor,  # type: ignore[arg-type]
        isolation=choose(Level.NONE.value),
        store=store,
        progress=lambda _done, _most: None,
    )


if __name__ == "__main__":
    kind, size, folder = sys.argv[1:]
    done, seconds = KINDS[kind](int(size), Path(folder))
    answer(Cost(done, seconds, peak_mb()))

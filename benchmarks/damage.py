"""Damages shards of a tournament at random, and counts what merging and reading them make of it.

Each damaged shard is merged with the intact others, and read as the tables and pages read it. What
comes out has to be what was played, or an error of one line that names the file. Harmless
damage hit parts of the file that hold nothing. Some shards are refused for another reason than
SQLite's own checks or a checksum: what they hold cannot be read, or does not fit the others.
"""

import random
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from arena.entrants import enter
from arena.errors import RecordError
from arena.isolation import Level, choose
from arena.records import Settings as Times
from arena.records import Shard
from arena.rules import Rules, Ship
from arena.schedule import ShardPlan
from arena.store import Look, Store, Tournament
from arena.tournament import make_plan
from arena.tournament.block_task import BlockTask, Workplace
from arena.tournament.merging import merge
from benchmarks.lines import Note, Target, aligned, outcome_line, target_table
from benchmarks.options import option
from bots.uniform_random import UniformRandom
from salvo.bundled import bundled_bots

_BOTS = dict.fromkeys(("ada", "grace", "uniform_random"), UniformRandom)
_OF = 3
_GAMES, _LAYOUTS = 40, 20
_MOST_BYTES = 20
_PAGE = 4096
_NOTED = 100
_MERGED = "merged.sqlite3"
_NAMED = re.compile(r"(?<!the file) is damaged; ")

INTACT = "harmless"
BY_SQLITE = "refused by SQLite"
BY_CHECKSUM = "refused by a checksum"
BY_OTHERS = "refused for another reason"
WRONG = "WRONG"
"""What must not be: another game than was played, a traceback, another file blamed, a leftover."""

KINDS = {"overwritten": 1.0, "cut short": 0.1, "with zeroed pages": 0.1}
"""The kinds of damage, and how many shards of each for one whose bytes are overwritten."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    shards: int = option(1000, "Shards of which 1 to 20 bytes are overwritten.")
    seed: int = option(1, "Seed of the damage.", 0)


class Outcome(NamedTuple):
    """What became of a damaged shard; ``why`` has the error, or what is wrong."""

    what: str
    why: str = ""


def run(settings: Settings) -> Iterator[str]:
    """Yield a table of the outcomes, one of targets, and the outcome."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        shards = play_shards(Path(folder))
        for kind, share in KINDS.items():
            for number in range(max(1, round(settings.shards * share))):
                if number % _NOTED == 0:
                    yield Note(f"{kind}: {number:,}")
                seed = f"{settings.seed} {kind} {number}"
                for how, outcome in damage_and_use(shards, kind, seed).items():
                    counts.setdefault((kind, how), Counter())[outcome.what] += 1
                    if outcome.what == WRONG:
                        wrong.append(f"{seed}, {how}: {outcome.why}")
    outcomes = (INTACT, BY_SQLITE, BY_CHECKSUM, BY_OTHERS, WRONG)
    rows = [
        (f"{kind}, {how}", *(f"{found[what]:,}" for what in outcomes))
        for (kind, how), found in counts.items()
    ]
    yield aligned(rows, ("shards", *outcomes))
    yield ""
    yield target_table([Target("wrong outcomes", "0", f"{len(wrong):,}", not wrong)])
    yield from wrong
    told = {f"{kind}, {how}": dict(found) for (kind, how), found in counts.items()}
    yield outcome_line("damage", wrong=len(wrong), counts=told)


def play_shards(folder: Path) -> list[Path]:
    """Play a small tournament in shards, and return their records."""
    fleet = (Ship("Long", 3), Ship("Short", 2))
    rules = Rules(name="small", rows=5, columns=5, fleet=fleet)
    tournament = Tournament(
        name="cup",
        kind="tournament",
        rules=rules,
        seed="1",
        settings=Times(),
        entrants=tuple(enter(name, ["uniform_random"], bundled_bots()) for name in _BOTS),
        block_pairs=5,
    )
    plan = make_plan(tournament, games=_GAMES, layouts=_LAYOUTS)
    task = BlockTask(rules, tournament.settings, plan.seeds)
    workplace = Workplace(_BOTS, choose(Level.NONE.value))
    paths = []
    for number in range(1, _OF + 1):
        paths.append(folder / f"shard-{number}.sqlite3")
        shard = Shard(number, _OF, _GAMES, _LAYOUTS)
        with Store(paths[-1], create=True) as store:
            store.enter(tournament)
            store.note_shard(tournament.name, shard)
            store.note_look(tournament.name, Look(_GAMES // 2))
            for block in ShardPlan(plan, shard).blocks():
                store.add(tournament, task.play(workplace, block))
    return paths


def damage_and_use(shards: Sequence[Path], kind: str, seed: str) -> dict[str, Outcome]:
    """Damage one of some shards, and return what reading it and merging all come to."""
    rng = random.Random(seed)
    place = rng.randrange(len(shards))
    played = shards[place]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copies = [Path(shutil.copy(shard, folder)) for shard in shards]
        hit = copies[place]
        hit.write_bytes(_damaged(played.read_bytes(), kind, rng))
        others = [path.name for path in copies if path != hit]
        return {
            "read": _outcome(lambda: contents(hit) == contents(played), hit, others),
            "merged": _outcome(lambda: _merges_the_same(copies, shards), hit, others),
        }


def contents(path: Path) -> list[Any]:
    """Return all that is read of the tournament in a record."""
    with Store(path, create=False) as store:
        cup = store.tournament()
        name = cup.name
        return [
            cup,
            store.tournament_names(),
            store.shard(name),
            store.looks(name),
            store.played(name),
            list(store.results(name)),
            list(store.listed(name)),
            list(store.games(name)),
            store.voids(name),
            store.isolation_levels(name),
            store.origins(name),
            store.game(next(store.games(name)).fixture.id),
        ]


def _merges_the_same(copies: Sequence[Path], shards: Sequence[Path]) -> bool:
    """Return whether merging comes to what was played; nothing is left where it is refused."""
    merged, wanted = copies[0].with_name(_MERGED), shards[0].with_name(_MERGED)
    if not wanted.exists():
        merge(shards, wanted)
    try:
        merge(copies, merged)
    except RecordError:
        left = {path.name for path in merged.parent.iterdir()} - {path.name for path in copies}
        if left:
            raise AssertionError(f"left behind: {', '.join(sorted(left))}") from None
        raise
    return contents(merged) == contents(wanted)


def _outcome(same: Callable[[], bool], hit: Path, others: Sequence[str]) -> Outcome:
    """Return the outcome of something that returns whether it came to what was played."""
    try:
        return Outcome(INTACT) if same() else Outcome(WRONG, "not what was played")
    except RecordError as error:
        text = str(error)
        if not text.startswith(f"record {hit}: ") or any(name in text for name in others):
            return Outcome(WRONG, f"it blames another file: {text}")
        if "\n" in text:
            return Outcome(WRONG, f"more than a line: {text}")
        if _NAMED.search(text):
            return Outcome(BY_CHECKSUM, text)
        return Outcome(BY_SQLITE if "the file is damaged" in text else BY_OTHERS, text)
    except Exception as error:  # noqa: BLE001 - whatever a command would show as a traceback
        return Outcome(WRONG, f"{type(error).__name__}: {error}")


def _damaged(data: bytes, kind: str, rng: random.Random) -> bytes:
    damaged = bytearray(data)
    if kind == "cut short":
        return bytes(damaged[: rng.randrange(len(damaged))])
    if kind == "with zeroed pages":
        for _ in range(rng.randint(1, 3)):
            start = rng.randrange(len(damaged) // _PAGE) * _PAGE
            damaged[start : start + _PAGE] = bytes(_PAGE)
        return bytes(damaged)
    for _ in range(rng.randint(1, _MOST_BYTES)):
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
    return bytes(damaged)

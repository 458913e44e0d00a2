"""The time that authors have used decides who plays next: nobody owes or is owed weeks."""

from collections.abc import Mapping
from itertools import groupby
from pathlib import Path

import pytest

from arena.records import BlockRecord, Settings
from arena.rules import preset
from arena.schedule import Plan, round_robin
from arena.seeds import Seeds
from salvo.server.database.server_database import Database
from salvo.server.work import shares
from salvo.server.work.order import Order
from salvo.server.work.shares import Shares

OLD = {"ada": 1, "bob": 2, "cyd": 3}
WEEKS_S = 300 * 60.0


class Unrated:
    """Nothing is known of any bot."""

    def elo_of(self, bot: str) -> float | None:
        del bot
        return None

    def is_provisional(self, bot: str) -> bool:
        del bot
        return False


class League:
    """A league with one worker, in which blocks of bots take so many seconds as a test says."""

    def __init__(self, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        self.database, self.now, self.numbers = db, 0.0, 0
        monkeypatch.setattr("salvo.server.work.shares.time.monotonic", lambda: self.now)

    def play(
        self,
        owners: Mapping[str, int],
        took: Mapping[str, float],
        most: int,
        *,
        duels: bool = False,
    ) -> list[tuple[str, ...]]:
        """Play as a server does that was just started, and return who was in each block."""
        names = [f"{name}@1" for name in owners]
        self.numbers += 1
        plan = Plan(
            tournament=f"league {self.numbers}",
            seeds=Seeds(self.numbers, preset("ramesh-1")),
            pairings=round_robin(names) if duels else (),
            soloists=tuple(names),
            pairs=500 if duels else 0,
            layouts=500,
            block_layouts=10,
        )
        order, known = Order(plan, {}), Unrated()
        used = Shares(self.database, Settings())
        used.renew(owners)
        blocks: list[tuple[str, ...]] = []
        while len(blocks) < most and (block := order.next(known, used.minutes)) is not None:
            used.begin(block)
            bots = [bot.partition("@")[0] for bot in block.entrants]
            self.now += max(took.get(bot, 30.0) for bot in bots)
            used.end(block, BlockRecord(block, (), "{}"))
            blocks.append(tuple(bots))
        return blocks


@pytest.fixture
def old(league: Path, monkeypatch: pytest.MonkeyPatch) -> League:
    """Return a league in which three authors have used five hours each."""
    with Database(league) as db:
        rows = [(author, WEEKS_S) for author in (0, *OLD.values())]
        db.executemany("INSERT INTO used VALUES (?, ?)", rows)
    nothing = dict.fromkeys([f"{name}@1" for name in (*OLD, "new")], 0.0)
    monkeypatch.setattr(shares, "_charged", lambda _: nothing)
    return League(Database(league), monkeypatch)


def in_a_row(blocks: list[tuple[str, ...]], name: str) -> int:
    """Return how many blocks in a row a bot had at most."""
    runs = groupby(blocks, lambda bots: name in bots)
    return max(len(list(run)) for played, run in runs if played)


def test_slow_newcomer_to_an_old_league_plays_in_turn(old: League) -> None:
    blocks = old.play({**OLD, "new": 4}, {"new": 600.0}, 40)
    assert ("new",) in blocks[:8]  # within a minute of each of the others
    assert in_a_row(blocks, "new") == 1


def test_slow_newcomer_who_meets_others_plays_in_turn(old: League) -> None:
    blocks = old.play({**OLD, "new": 4}, {"new": 600.0}, 40, duels=True)
    assert any("new" in bots for bots in blocks[:8])
    assert in_a_row(blocks, "new") <= 2  # alone, and with one of the others


def test_newcomer_plays_in_turn_after_a_restart_too(old: League) -> None:
    owners = {**OLD, "new": 4}
    first = old.play(owners, {"new": 600.0}, 5)
    blocks = first + old.play(owners, {"new": 600.0}, 30)
    assert in_a_row(blocks, "new") == 1


def test_who_had_nothing_to_play_for_long_plays_in_turn(old: League) -> None:
    owners = {**OLD, "new": 4}
    old.play({"ada": 1, "bob": 2}, {}, 40)
    old.play({"ada": 1}, {"ada": 60.0}, 40)  # alone: it takes nothing from anybody
    blocks = old.play(owners, {"new": 600.0, "cyd": 600.0}, 40)
    assert all(in_a_row(blocks, name) == 1 for name in ("new", "cyd"))
    assert ("ada",) in blocks[:10]

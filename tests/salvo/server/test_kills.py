"""A server that is killed at random moments: no process of it stays, and nothing is lost.

``--kills 50`` kills it that many times.
"""

import contextlib
import random
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.league import Anchor, Charter, League
from arena.rules import preset
from salvo.bundled import bundled_bots
from salvo.server.leagues import open_league
from tests.unfinished_boxes import end_unfinished_boxes

SLOW = """
import time

from arena import Bot, run


class Slow(Bot):
    def choose_shots(self, count):
        time.sleep(0.05)
        return self.untried[:count]


run(Slow)
"""
"""A block of its games takes longer than anything here waits."""

MOMENTS = ("starting", "playing", "checking")
GONE_S = 30.0
"""On a machine that stands still; a process that goes on by itself plays longer."""

Served = Any
MakeServer = Callable[..., Served]
Blocks = dict[tuple[str, int], list[tuple[str, str]]]


def make_league(folder: Path) -> Path:
    folder.mkdir()
    slow = folder.parent / "slow.py"
    slow.write_text(SLOW, encoding="ascii")
    bots = {name: bundled_bots()[name] for name in ("hunt_target", "uniform_random")}
    charter = Charter(
        rules=preset("ramesh-1"),
        seed="1234567890123456789",
        games=20,
        layouts=10,
        anchor=Anchor(bot="hunt_target@1"),
    )
    league = League(folder, charter, bots)
    for name, path in (bots | {"slow": slow}).items():
        with league.candidate(path, name) as candidate:
            league.admit(candidate)
    return folder


def stat_of(pid: int) -> list[str]:
    """Return the fields of a process's stat after its name; none if it has ended."""
    with contextlib.suppress(OSError):
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        fields = stat.rpartition(")")[2].split()
        return [] if fields[0] in "ZX" else fields
    return []


def processes_of(server: int, league: Path) -> dict[int, str]:
    """Return when each process began that a server started, or that plays in its league."""
    found: dict[int, str] = {}
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (fields := stat_of(pid := int(entry.name))):
            parents[pid] = int(fields[1])
            with contextlib.suppress(OSError):
                if str(league).encode() in (entry / "cmdline").read_bytes():
                    found[pid] = fields[19]
    for pid in parents:
        above = pid
        while above in parents and above != server:
            above = parents[above]
        if above == server and (fields := stat_of(pid)):
            found[pid] = fields[19]
    return found


def kill(server: Served) -> float:
    """Kill a server, and return after how many seconds the last of its processes was gone."""
    left = processes_of(server.process.pid, server.league)
    server.kill()
    killed = time.monotonic()
    while left:
        assert time.monotonic() < killed + GONE_S, [
            Path(f"/proc/{pid}/cmdline").read_bytes() for pid in left
        ]
        end_unfinished_boxes(left, killed)
        time.sleep(0.02)
        left |= processes_of(server.process.pid, server.league)
        left = {pid: began for pid, began in left.items() if began in stat_of(pid)[19:20]}
    return time.monotonic() - killed


def committed(league: Path) -> Blocks:
    """Return the blocks in the record, each with its games; the record is in order."""
    blocks: Blocks = {}
    with contextlib.suppress(sqlite3.OperationalError):  # there is none yet
        name = f"{(league / 'salvo.sqlite3').as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(name, uri=True, timeout=60)) as db:
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            db.execute("BEGIN")  # a server that plays adds blocks meanwhile
            for entrants, number, *game in db.execute(
                "SELECT entrants, number, games.id, result FROM games "
                "JOIN blocks ON games.block = blocks.id ORDER BY blocks.id, position"
            ):
                blocks.setdefault((entrants, number), []).append(tuple(game))
            [[counted]] = db.execute("SELECT coalesce(sum(games), 0) FROM blocks")
            assert sum(map(len, blocks.values())) == counted
    return blocks


def reach(server: Served, moment: str, submitted: list[Any]) -> None:
    """Wait until a server does what it is to be killed at."""
    if moment == "checking":
        [code] = server.invite()
        bot = f"{server.bot}# {len(submitted)}"
        submitted.append(server.submit(f"late{len(submitted)}", bot.encode(), code))
        assert submitted[-1].status == 202
        path = f"/api/submissions/{submitted[-1].json['id']}"
        server.until(lambda: server.get(path, server.key).json["state"] != "queued")
    elif moment == "playing":
        # A check that was begun three times is given up: let it come to its end before that.
        for one in submitted:
            assert server.checked(one)["state"] == "accepted"
        server.until(lambda: plays(server, "slow.py"))


def plays(server: Served, bot: str) -> bool:
    for pid in processes_of(server.process.pid, server.league):
        with contextlib.suppress(OSError):
            if bot.encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                return True
    return False


def kill_again_and_again(make_server: MakeServer, league: Path, kills: int) -> list[Any]:
    """Kill servers of a league in turns at each moment; return what was submitted to them."""
    source = random.Random(23)
    submitted: list[Any] = []
    seconds: list[float] = []
    for number in range(kills):
        server = make_server(league, "--workers", "2")
        reach(server, MOMENTS[number % len(MOMENTS)], submitted)
        time.sleep(source.uniform(0, 1.5))
        before = committed(league)
        seconds.append(kill(server))
        after = committed(league)
        assert {block: after.get(block) for block in before} == before
    print(f"{kills} kills, all gone after {max(seconds):.1f} s at most")  # noqa: T201
    return submitted


def test_killed_server_takes_its_processes_along(tmp_path: Path, make_server: MakeServer) -> None:
    kill_again_and_again(make_server, make_league(tmp_path / "league"), len(MOMENTS))


@pytest.mark.long("the server is killed at random, as often as --kills says")
def test_no_kill_of_a_server_loses_what_it_had_acknowledged(
    tmp_path: Path, make_server: MakeServer, request: pytest.FixtureRequest
) -> None:
    kills = request.config.getoption("kills")
    if kills is None:
        pytest.skip("it takes minutes: pytest --kills 50")
    league = make_league(tmp_path / "league")
    submitted = kill_again_and_again(make_server, league, kills)
    open_league(league).withdraw("slow")
    before = committed(league)
    server = make_server(league, "--workers", "2")
    for one in submitted:
        assert server.checked(one)["state"] == "accepted"
    field = len(open_league(league).field)
    assert field == 2 + len(submitted)
    server.until(lambda: len(whole(league)) == field * (field + 1) // 2)
    server.stop()
    after = committed(league)
    assert {block: after.get(block) for block in before} == before


def whole(league: Path) -> dict[str, int]:
    """Return the pairings and solos of a league that are played to their end, without `slow`."""
    played: dict[str, int] = {}
    for (entrants, _), games in committed(league).items():
        if "slow" not in entrants:
            played[entrants] = played.get(entrants, 0) + len(games)
    return {one: games for one, games in played.items() if games == (20 if "," in one else 10)}

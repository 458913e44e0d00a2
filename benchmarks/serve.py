"""Measures what watchers of a league that is played cost, and a burst of submissions.

It has three parts: games without a server, with watchers, and with the burst too, which goes on
until all bots are checked.
"""

import asyncio
import contextlib
import os
import secrets
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection
from ipaddress import IPv4Address
from pathlib import Path
from random import Random
from typing import Any, Self

import msgspec
import numpy as np

from arena.league import Anchor, Charter, League
from arena.rules import Rules, preset
from arena.seeds import LEAGUE_SEED_BITS
from benchmarks.lines import Note, aligned, outcome_line
from benchmarks.options import option
from salvo.bundled import bundled_bots

_FIRST = ("hunt_target", "uniform_random", "hunt_parity")
_GAMES = 20_000
"""A pairing: more than can be played meanwhile."""

_COME_S, _SETTLE_S = 8.0, 3.0
"""How long it takes until all watchers are there, and until what they began is done."""

BOT = """
from arena import Bot, run


class Mine(Bot):
    def choose_shots(self, count):
        return self.random.sample(self.untried, count)


run(Mine)
"""


@dataclass(frozen=True)
class Settings:
    """The options."""

    watchers: int = option(200, "People who look at the leaderboard, and load it as it changes.")
    bots: int = option(60, "Bots that are submitted at once, and checked one at a time.", least=0)
    seconds: int = option(120, "Seconds of each of the first two parts.", least=5)


@dataclass
class Seen:
    """The seconds of each page, how often each event came to each watcher, and what failed.

    A reset tells a watcher that it has missed events.
    """

    pages: list[float] = field(default_factory=list)
    events: list[Counter[int]] = field(default_factory=list)
    resets: int = 0
    failed: int = 0


def run(settings: Settings) -> Iterator[str]:
    """Yield a table, and the outcome.

    That is the games a second with watchers over those without a server, the 99th percentile of
    pages in seconds, events lost and doubled, and the memory.
    """
    watchers, bots, seconds = settings.watchers, settings.bots, settings.seconds
    with tempfile.TemporaryDirectory() as folder:
        league = Path(folder) / "league"
        make_league(league, preset("salvo"), _GAMES, {name: name for name in _FIRST})
        yield Note("games without a server")
        alone = _alone(league, seconds)
        yield Note("games with watchers")
        with Server(league) as server:
            found = asyncio.run(_watched(server, watchers, bots, seconds))
    watched, burst, checked_s, seen, memory = found
    lost, doubled = _lost_and_doubled(seen.events)
    p99 = float(np.quantile(seen.pages, 0.99)) if seen.pages else float("nan")
    rows = [
        ("games a second without a server", f"{alone:.1f}"),
        ("with watchers", f"{watched:.1f}"),
        ("with watchers and checks", f"{burst:.1f}"),
        ("seconds to check all", f"{checked_s:.0f}"),
        ("pages", f"{len(seen.pages)}"),
        ("median page, ms", f"{1000 * float(np.median(seen.pages or [0])):.0f}"),
        ("99% of pages within, ms", f"{1000 * p99:.0f}"),
        ("memory at the start and the end, MB", f"{memory[0]:.0f}, {memory[1]:.0f}"),
    ]
    yield aligned(rows, ("what", ""))
    yield outcome_line(
        "serve",
        ratio=round(watched / alone, 3),
        p99_s=round(p99, 4),
        pages=len(seen.pages),
        failed=seen.failed,
        events_lost=lost,
        events_doubled=doubled,
        resets=seen.resets,
        checked_s=round(checked_s, 1),
        memory_mb=[round(one, 1) for one in memory],
        watchers=watchers,
        bots=bots,
    )


def make_league(folder: Path, rules: Rules, games: int, bots: Mapping[str, str]) -> League:
    """Make a league of bundled bots, by the names that they have in it; the first is the anchor."""
    charter = Charter(
        rules=rules,
        seed=str(secrets.randbits(LEAGUE_SEED_BITS)),
        games=games,
        layouts=0,
        anchor=Anchor(bot=f"{next(iter(bots))}@1"),
    )
    bundled = bundled_bots()
    league = League(folder, charter, bundled)
    for name, bot in bots.items():
        with league.candidate(bundled[bot], name) as candidate:
            league.admit(candidate)
    return league


def count_games(league: Path) -> int:
    """Return how many games a league's record holds."""
    try:
        with contextlib.closing(sqlite3.connect(league / "salvo.sqlite3")) as db:
            [[games]] = db.execute("SELECT coalesce(sum(games), 0) FROM blocks")
            return int(games)
    except sqlite3.OperationalError:
        return 0  # nothing is there yet


def _alone(league: Path, seconds: int) -> float:
    """Return how many games a second are played by the same process without a server."""
    (league / "serve").mkdir(mode=0o700)
    role = ["salvo.server.work.process", str(league), str(os.getpid()), "play"]
    command = [sys.executable, "-m", *role]
    with subprocess.Popen(command) as playing:
        try:
            while not count_games(league):
                time.sleep(0.1)
            before, began = count_games(league), time.monotonic()
            time.sleep(seconds)
            while (games := count_games(league)) == before:  # they come by blocks
                time.sleep(0.1)
            return (games - before) / (time.monotonic() - began)
        finally:
            playing.terminate()


@dataclass
class Server:
    """`salvo serve`, which everybody may read."""

    league: Path

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "salvo", "serve", "--league", str(self.league)]
        self._process = subprocess.Popen(
            [
                *(*command, "--port", "0", "--public", "--workers", "1"),
                # So that each watcher comes from an address of their own.
                *("--trusted-proxy", "127.0.0.1"),
            ],
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        link = self._process.stdout.readline().decode().strip()
        self.key = link.partition("key=")[2]
        self.port = int(link.split("/")[2].rpartition(":")[2])
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    @property
    def pid(self) -> int:
        """The id of the process that answers requests."""
        return self._process.pid

    def memory_mb(self) -> float:
        """Return the memory of the process that answers requests, in megabytes."""
        text = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        [line] = [line for line in text.splitlines() if line.startswith("VmRSS")]
        return int(line.split()[1]) / 1000

    async def ask(self, head: str, body: bytes = b"") -> tuple[int, bytes]:
        """Send a request and return the status and body of the answer."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            host = f"Host: 127.0.0.1:{self.port}\r\nConnection: close\r\n"
            writer.write(f"{head}\r\n{host}\r\n".encode() + body)
            await writer.drain()
            answer = await reader.read()
        finally:
            writer.close()
        status, _, rest = answer.partition(b" ")[2].partition(b" ")
        return int(status), rest.partition(b"\r\n\r\n")[2]

    async def json(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Any:  # noqa: ANN401 - what JSON says
        """Send a request, and return what the answer says in JSON."""

        def send() -> Any:  # noqa: ANN401 - likewise
            with contextlib.closing(HTTPConnection("127.0.0.1", self.port)) as connection:
                connection.request(method, path, body, headers)
                return msgspec.json.decode(connection.getresponse().read())

        return await asyncio.to_thread(send)


async def _watched(
    server: Server, watchers: int, bots: int, seconds: int
) -> tuple[float, float, float, Seen, tuple[float, float]]:
    seen = Seen()
    tasks = [asyncio.create_task(watch(server, seen, n)) for n in range(watchers)]
    await asyncio.sleep(_COME_S + _SETTLE_S)
    memory = server.memory_mb()
    began, before = time.monotonic(), count_games(server.league)
    await asyncio.sleep(seconds)
    watched = (count_games(server.league) - before) / (time.monotonic() - began)
    began, before = time.monotonic(), count_games(server.league)
    await _submit(server, bots)
    while (await server.json("GET", "/api/queue"))["waiting"]:  # noqa: ASYNC110 - another process checks
        await asyncio.sleep(0.5)
    checked_s = time.monotonic() - began
    burst = (count_games(server.league) - before) / checked_s
    await asyncio.sleep(_SETTLE_S)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return watched, burst, checked_s, seen, (memory, server.memory_mb())


async def _submit(server: Server, bots: int) -> None:
    if not bots:
        return
    labels = msgspec.json.encode({"labels": [f"bot{n}" for n in range(bots)]})
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {server.key}"}
    answer = await server.json("POST", "/api/operate/invites", labels, **headers)
    for number, invite in enumerate(answer["invites"]):
        path, key = (
            f"/api/bots?name=bot{number}&file=bot.py",
            {"Authorization": f"Bearer {invite['code']}"},
        )
        kind = {"Content-Type": "application/octet-stream"}
        told = await server.json("POST", path, f"{BOT}# {number}\n".encode(), **kind, **key)
        assert "error" not in told, told


async def watch(server: Server, seen: Seen, number: int) -> None:
    """Look at the leaderboard as a browser does."""
    source = Random(number)
    came: Counter[int] = Counter()
    seen.events.append(came)
    await _look(server, seen, _COME_S * source.random())
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1 << 20)
    address = IPv4Address("10.0.0.1") + number
    writer.write(
        f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"X-Forwarded-For: {address}\r\n\r\n".encode()
    )
    waiting: asyncio.Task[None] | None = None
    try:
        while line := await reader.readline():
            if line.startswith(b"id: "):
                came[int(line[4:])] += 1
            elif line.startswith(b"event: reset"):
                seen.resets += 1
            elif line.startswith(b"event: board") and (waiting is None or waiting.done()):
                after_s = 0.3 + 2.7 * source.random()  # as server.js does
                waiting = asyncio.create_task(_look(server, seen, after_s))
    finally:
        writer.close()


async def _look(server: Server, seen: Seen, after_s: float) -> None:
    await asyncio.sleep(after_s)
    began = time.monotonic()
    status, page = await server.ask("GET / HTTP/1.1\r\nAccept-Encoding: gzip\r\nAccept: text/html")
    seen.pages.append(time.monotonic() - began)
    seen.failed += status != 200 or not page  # noqa: PLR2004 - an answer


def _lost_and_doubled(events: list[Counter[int]]) -> tuple[int, int]:
    """Return how many events some watchers missed between two that came, and had twice."""
    everything = sorted(set().union(*events))
    lost = 0
    for one in events:
        if one:
            lost += sum(min(one) <= event <= max(one) for event in everything) - len(one)
    return lost, sum(count - 1 for one in events for count in one.values())

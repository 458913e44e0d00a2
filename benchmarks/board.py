"""Makes up a league, rates it, and times how soon its leaderboard opens.

By default it takes some five minutes, and a gigabyte on the disk.
"""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

from msgspec.structs import replace

from arena.league import League
from arena.records import BlockRecord
from arena.referee import play_bots
from arena.rules import preset
from arena.store import Store
from benchmarks.lines import Note, aligned, outcome_line
from benchmarks.options import option
from benchmarks.serve import Server, make_league
from bots.uniform_random import UniformRandom

MOST_S = 0.3
PAGES = 20
SPREAD_ELO = 800
"""From the weakest bot to the strongest."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    bots: int = option(500, "Bots in the league.", least=3)
    games: int = option(1_000_000, "About how many games they have played.", least=6)


def run(settings: Settings) -> Iterator[str]:
    """Yield a table, and the outcome: the seconds of the first page and of later ones."""
    bots, games = settings.bots, settings.games
    with tempfile.TemporaryDirectory() as folder:
        yield Note(f"{bots} bots: {games:,} games are made up")
        pairing = 2 * max(1, round(games / (bots * (bots - 1))))
        names = {f"bot{number:03}": "uniform_random" for number in range(bots)}
        league = make_league(Path(folder) / "league", preset("ramesh-1"), pairing, names)
        recorded = _record(league)
        yield Note("they are rated, and the leaderboard is opened")
        with Server(league.folder) as server:
            rated_s, first_s, *later_s = asyncio.run(_open(server, bots))
    rows = [
        ("bots", f"{bots}"),
        ("games", f"{recorded:,}"),
        ("until they are rated, s", f"{rated_s:.1f}"),
        ("the first page, ms", f"{1000 * first_s:.0f}"),
        (f"the median of {PAGES} more, ms", f"{1000 * median(later_s):.0f}"),
    ]
    yield aligned(rows, ("what", ""))
    yield outcome_line(
        "board",
        ratio=round(first_s / MOST_S, 3),
        bots=bots,
        games=recorded,
        rated_s=round(rated_s, 1),
        first_s=round(first_s, 4),
        later_s=round(median(later_s), 4),
        met=first_s <= MOST_S,
    )


def _record(league: League) -> int:
    """Record all games of a league as if they had been played, and return how many."""
    tournament, plan = league.tournament(), league.plan()
    template = play_bots([UniformRandom(), UniformRandom()], tournament.rules)
    names = sorted(entry.full_name for entry in league.field)
    elo = {name: SPREAD_ELO * number / len(names) for number, name in enumerate(names)}
    random = Random(1)

    def made_up() -> Iterator[BlockRecord]:
        for block in plan.blocks():
            games = []
            for fixture in block.fixtures:
                assert fixture.second is not None
                ahead = elo[fixture.first] - elo[fixture.second]
                won = random.random() < 1 / (1 + 10 ** (-ahead / 400))
                result = "first" if won else "second"
                games.append(replace(template, fixture=fixture, result=result))
            yield BlockRecord(block, tuple(games), "{}")

    with Store(league.record, create=True) as store:
        league.extend(store)
        store.add_all(tournament, made_up())
    return plan.most_games


async def _open(server: Server, bots: int) -> list[float]:
    """Return how long it took until all were rated, and the page to open, time after time, in s."""
    began, rated = time.monotonic(), 0
    while rated < bots:
        await asyncio.sleep(0.2)
        rated = len((await server.json("GET", "/api/standings")).get("elo", []))
    taken = [time.monotonic() - began]
    for _ in range(1 + PAGES):
        began = time.monotonic()
        status, page = await server.ask("GET / HTTP/1.1\r\nAccept: text/html")
        taken.append(time.monotonic() - began)
        assert status == 200, page[:200]  # noqa: PLR2004 - an answer
    return taken

"""Measures how long a class waits before a deadline: for its checks, and for the first rank.

Students submit versions of their bots at random moments, each at the rate that is asked for, while
others follow the leaderboard. From the processor seconds of each check, block and rating a model
says what machines with other numbers of cores would do; at the number that was measured, it stands
beside the measurement.
"""

import asyncio
import contextlib
import os
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

import click
import msgspec
import numpy as np
from msgspec import Struct

from arena.league.charter import games_a_block
from arena.records import Settings as BotTimes
from arena.rules import preset
from benchmarks.costs.served import Meter, Work
from benchmarks.lines import Note, aligned, outcome_line
from benchmarks.options import option
from benchmarks.serve import BOT, Seen, Server, make_league, watch
from benchmarks.simulations.class_queue import Load, Outcome, simulate

_BOSSES = ("hunt_target", "uniform_random", "hunt_parity", "probability_density")
_GAMES = 100
_LOOK_S = 0.5
_SAMPLE_S = 0.1
_CORES = (1, 2, 4, 8)
_MOST_OTHERS, _HALVINGS = 64.0, 10
_UNHURRIED = 5
"""Checks with nothing else to do, which tell what a check takes beside processor time."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    students: int = option(30, "Students.")
    versions: int = option(10, "Versions that each would submit in an hour.")
    pages: int = option(60, "Pages that are open, and follow the leaderboard.")
    minutes: int = option(60, "Minutes before the deadline that are played.", least=1)
    seed: int = option(1, "When who submits.", least=0)
    measured: Path | None = option(
        None,
        "A file for what is measured; one that is there is read, and nothing is measured again.",
        type=click.Path(dir_okay=False, path_type=Path),
    )


class Submitted(Struct):
    """A version that was submitted: when, and how long it waited, in seconds.

    Attributes:
        rank_s: Until a new bot had its first rank; None of a later version.
        accepted: Whether it passed its check, which a busy machine may not let it.
    """

    at_s: float
    student: int
    check_s: float
    rank_s: float | None = None
    accepted: bool = True


class Measured(Struct):
    """The waits of a class, and the work that it made.

    Attributes:
        beside_s: What a check takes beside its processor time, with nothing else to do.
        pages: The seconds that each page took.
        failed: How many pages did not come.
    """

    settings: dict[str, Any]
    beside_s: float
    submitted: list[Submitted]
    work: Work
    pages: list[float]
    failed: int


def run(settings: Settings) -> Iterator[str]:
    """Yield tables of how long students waited and of the model, and the outcome."""
    if settings.measured is not None and settings.measured.exists():
        found = msgspec.json.decode(settings.measured.read_bytes(), type=Measured)
    else:
        yield Note(f"{settings.students} students for {settings.minutes} minutes")
        found = _measured(settings)
        if settings.measured is not None:
            settings.measured.write_bytes(msgspec.json.encode(found))
    waited = Outcome(
        [one.check_s for one in found.submitted],
        [one.rank_s for one in found.submitted if one.rank_s is not None],
        found.work.games,
    )
    yield aligned(_of_processor(found), ("processor seconds", "median", "most", "in all"))
    load = _load(found)
    elsewhere = found.work.elsewhere_s / found.work.lasted_s
    here = os.cpu_count() or 1
    modelled = {cores: simulate(load, cores) for cores in sorted({here, *_CORES})}
    others = _others(load, here, found.work.games)
    rows = [
        _row(f"measured, {here} cores, of which {elsewhere:.1f} did other things", waited),
        _row(f"model, {here} cores shared with {others:.1f} others", simulate(load, here, others)),
        *(
            _row(f"model, {cores} core{'s' * (cores > 1)}", outcome)
            for cores, outcome in modelled.items()
        ),
    ]
    yield aligned(rows, ("", "check, s", "longest", "first rank, s", "longest", "games"))
    yield outcome_line(
        "classroom",
        students=found.settings["students"],
        minutes=found.settings["minutes"],
        submissions=len(found.submitted),
        **_numbers(waited),
        check_cpu_s=round(float(np.median(found.work.checks)), 2),
        elsewhere=round(elsewhere, 2),
        pages_p99_s=round(float(np.quantile(found.pages, 0.99)), 3) if found.pages else None,
        refused=sum(not one.accepted for one in found.submitted),
        failed=found.failed,
        model={str(cores): _numbers(outcome) for cores, outcome in modelled.items()},
    )


def _others(load: Load, cores: int, games: int) -> float:
    """Return how many jobs beside leave a model no more games than were played."""
    low, high = 0.0, _MOST_OTHERS
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if simulate(load, cores, middle).games > games else (low, middle)
    return low


def _row(what: str, outcome: Outcome) -> tuple[str, ...]:
    waits = [
        f"{wait:.1f}"
        for waits in (outcome.checks, outcome.ranks)
        for wait in (np.median(waits or [np.nan]), max(waits, default=np.nan))
    ]
    return what, *waits, f"{outcome.games:,}"


def _numbers(outcome: Outcome) -> dict[str, Any]:
    """Return the median and the longest wait for a check, and for a first rank; and the games."""
    waits = {"check_s": outcome.checks, "rank_s": outcome.ranks}
    return {
        **{
            name: [round(float(np.median(found)), 1), round(max(found), 1)] if found else None
            for name, found in waits.items()
        },
        "games": outcome.games,
    }


def _of_processor(found: Measured) -> list[tuple[str, ...]]:
    """Return what everything took of the processor; a first rank takes one of each of three."""
    work = found.work
    blocks = [seconds / count for seconds, count in work.blocks for _ in range(count)]
    ratings = [seconds for _, seconds in work.ratings]
    parts = {"a check": work.checks, "a block of games": blocks, "a rating": ratings}
    median = sum(float(np.median(each)) for each in parts.values())
    rows: list[tuple[str, ...]] = [
        (what, f"{np.median(each):.2f}", f"{max(each):.2f}", f"{sum(each):.0f}")
        for what, each in parts.items()
    ]
    rows.append(
        ("a first rank: one of each", f"{median:.2f}", f"{sum(map(max, parts.values())):.2f}", "")
    )
    others = {
        "pages": work.pages_s,
        "waiting for checks": work.idle_s,
        "this benchmark": work.own_s,
    }
    rows += [(what, "", "", f"{seconds:.0f}") for what, seconds in others.items()]
    used = sum(sum(each) for each in parts.values()) + sum(others.values())
    rows.append(("of one core, all of this", "", "", f"{used / work.lasted_s:.2f}"))
    rows.append(("of one core, other things", "", "", f"{work.elsewhere_s / work.lasted_s:.2f}"))
    return rows


def _load(found: Measured) -> Load:
    """Return what was measured as the load of a model."""
    work = found.work
    games, seconds = np.array(work.ratings).T
    # It depends on how many versions there are, and hardly on games: these tell the moment.
    moments = work.lasted_s * games / games[-1]
    block_games = games_a_block(BotTimes())
    return Load(
        submitted=sorted((one.at_s, one.student) for one in found.submitted),
        checks=work.checks,
        blocks=[seconds / count for seconds, count in work.blocks for _ in range(count)],
        rating=lambda now: float(np.interp(now, moments, seconds)),
        pages_s=work.pages_s / len(work.ratings),
        always=(work.idle_s + work.own_s) / work.lasted_s,
        beside_s=found.beside_s,
        look_s=_LOOK_S / 2,
        bosses=len(_BOSSES),
        pairing=-(-_GAMES // block_games),
        block_games=block_games,
        lasts_s=work.lasted_s,
    )


def _measured(settings: Settings) -> Measured:
    with tempfile.TemporaryDirectory() as folder:
        league = Path(folder) / "league"
        make_league(league, preset("salvo"), _GAMES, {name: name for name in _BOSSES})
        with Server(league) as server:
            return asyncio.run(_class(server, settings))


async def _class(server: Server, settings: Settings) -> Measured:
    codes = await _invites(server, settings.students + 1)
    beside_s = await _beside_s(server, codes.pop())
    seen, random = Seen(), Random(settings.seed)
    watching = [asyncio.create_task(watch(server, seen, n)) for n in range(settings.pages)]
    each = settings.versions * settings.minutes / 60
    tasks = []
    for number, code in enumerate(codes):
        count = int(each) + (random.random() < each % 1)
        moments = sorted(random.uniform(0, 60.0 * settings.minutes) for _ in range(count))
        tasks.append(asyncio.create_task(_student(server, number, code, moments)))
    async with _metered(server) as work:
        submitted = [one for found in await asyncio.gather(*tasks) for one in found]
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    told = {name: value for name, value in asdict(settings).items() if name != "measured"}
    return Measured(told, beside_s, submitted, work, seen.pages, seen.failed)


async def _invites(server: Server, count: int) -> list[str]:
    labels = msgspec.json.encode({"labels": [f"student {n}" for n in range(count)]})
    made = await _operate(server, "invites", labels)
    return [invite["code"] for invite in made["invites"]]


async def _operate(server: Server, what: str, body: bytes = b"{}") -> Any:  # noqa: ANN401 - what JSON says
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {server.key}"}
    told = await server.json("POST", f"/api/operate/{what}", body, **headers)
    assert "error" not in told, told
    return told


@contextlib.asynccontextmanager
async def _metered(server: Server) -> AsyncIterator[Work]:
    """Measure the work of a server meanwhile."""
    with contextlib.closing(Meter(server.league, server.pid)) as meter:
        sampling = asyncio.create_task(_sample(meter))
        try:
            yield meter.work
        finally:
            sampling.cancel()
            await asyncio.gather(sampling, return_exceptions=True)
        meter.sample()


async def _sample(meter: Meter) -> None:
    while True:
        meter.sample()
        await asyncio.sleep(_SAMPLE_S)


async def _beside_s(server: Server, code: str) -> float:
    """Return what a check takes beside its processor time: it starts processes, and is looked for.

    That is the median of some with nothing else to do, by a bot that is withdrawn afterwards.
    """
    await _operate(server, "pause")
    await _checked(server, "unhurried", BOT, code)  # now all processes are there
    async with _metered(server) as work:
        waited = [
            (await _checked(server, "unhurried", f"{BOT}# unhurried {version}\n", code))[0]
            for version in range(_UNHURRIED)
        ]
    await _operate(server, "withdraw", b'{"name": "unhurried"}')
    await _operate(server, "resume")
    return float(np.median(waited) - np.median(work.checks))


async def _checked(server: Server, name: str, text: str, code: str) -> tuple[float, bool]:
    """Submit a bot; return after how many seconds its check had ended, and if it was accepted."""
    kind = {"Content-Type": "application/octet-stream", "Authorization": f"Bearer {code}"}
    began = time.monotonic()
    told = await server.json("POST", f"/api/bots?name={name}&file=bot.py", text.encode(), **kind)
    assert "error" not in told, told
    while True:
        state = (await server.json("GET", f"/api/submissions/{told['id']}"))["state"]
        if state not in ("queued", "checking"):
            break
        await asyncio.sleep(_LOOK_S)
    return time.monotonic() - began, state == "accepted"


async def _student(server: Server, number: int, code: str, moments: list[float]) -> list[Submitted]:
    """Submit a version at each moment, or when the one before was checked."""
    began, found, is_new = time.monotonic(), [], True
    for version, moment in enumerate(moments):
        await asyncio.sleep(max(0.0, began + moment - time.monotonic()))
        name, text = f"student{number}", f"{BOT}# {number} {version}\n"
        at = time.monotonic()
        waited_s, accepted = await _checked(server, name, text, code)
        submitted = Submitted(at - began, number, waited_s, accepted=accepted)
        while is_new and accepted:  # a new version takes the place of the old one
            rated = (await server.json("GET", "/api/standings"))["elo"]
            if any(row["bot"] == name for row in rated):
                submitted.rank_s = time.monotonic() - at
                is_new = False
                break
            await asyncio.sleep(_LOOK_S)
        found.append(submitted)
    return found

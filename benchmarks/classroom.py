"""Measures how long a class waits before a deadline: for its checks, and for the first rank.

Students submit versions of their bots at random moments, each at the rate that is asked for, while
others follow the leaderboard. The processor time that this takes says how many students a machine
with more cores would serve.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from arena.rules import preset
from benchmarks.lines import Note, aligned, outcome_line
from benchmarks.options import option
from benchmarks.serve import BOT, Seen, Server, make_league, watch

_BOSSES = ("hunt_target", "uniform_random", "hunt_parity", "probability_density")
_GAMES = 100
_LOOK_S = 0.5
_HOUR_S = 3600
_TICKS = os.sysconf("SC_CLK_TCK")
_UTIME = 11  # the place of the processor time in /proc/PID/stat, after the name


@dataclass(frozen=True)
class Settings:
    """The options."""

    students: int = option(30, "Students.")
    versions: int = option(10, "Versions that each would submit in an hour.")
    pages: int = option(60, "Pages that are open, and follow the leaderboard.")
    minutes: int = option(60, "Minutes before the deadline that are played.", least=1)
    seed: int = option(1, "When who submits.", least=0)


class _Waited(Struct):
    """How long one submission waited, in seconds; NaN for what did not come."""

    check_s: float = float("nan")
    rank_s: float = float("nan")


def run(settings: Settings) -> Iterator[str]:
    """Yield a table of how long students waited, and the outcome.

    That is the median and the longest wait for the end of a check, and for a new bot's first rank,
    in seconds; the processor seconds of each check, and the students whose checks alone would take
    half of so many cores: games take what is left, and the more there are, the later a rank comes.
    """
    with tempfile.TemporaryDirectory() as folder:
        league = Path(folder) / "league"
        make_league(league, preset("salvo"), _GAMES, {name: name for name in _BOSSES})
        with Server(league) as server:
            yield Note(f"{settings.students} students for {settings.minutes} minutes")
            waits, seen, used_s, lasted_s = asyncio.run(_class(server, settings))
    checks = np.array([one.check_s for one in waits])
    ranks = np.array([one.rank_s for one in waits])
    ranks = ranks[~np.isnan(ranks)]
    each_s = used_s["check"] / max(1, len(waits))
    hourly = settings.versions * each_s
    rows = [
        ("submissions", f"{len(waits)}"),
        ("check, median and longest, s", _both(checks)),
        ("first rank, median and longest, s", _both(ranks)),
        ("pages, 99% within, ms", f"{1000 * float(np.quantile(seen.pages or [0], 0.99)):.0f}"),
        ("processor seconds of a check", f"{each_s:.2f}"),
        *(
            (f"processor used by {role}, of one core", f"{seconds / lasted_s:.2f}")
            for role, seconds in used_s.items()
        ),
        *(
            (
                f"students whose checks take half of {cores} cores",
                f"{int(cores * _HOUR_S / 2 / hourly)}",
            )
            for cores in (2, 4, 8)
        ),
    ]
    yield aligned(rows, ("what", ""))
    yield outcome_line(
        "classroom",
        students=settings.students,
        submissions=len(waits),
        check_s=[round(float(value), 1) for value in (np.median(checks), checks.max())],
        rank_s=[round(float(value), 1) for value in (np.median(ranks), ranks.max())],
        check_cpu_s=round(each_s, 2),
        failed=seen.failed,
    )


def _both(waits: np.ndarray[Any, np.dtype[np.float64]]) -> str:
    return f"{np.median(waits):.1f}, {waits.max():.1f}"


async def _class(
    server: Server, settings: Settings
) -> tuple[list[_Waited], Seen, dict[str, float], float]:
    seen, random = Seen(), Random(settings.seed)
    watching = [asyncio.create_task(watch(server, seen, n)) for n in range(settings.pages)]
    labels = msgspec.json.encode({"labels": [f"student {n}" for n in range(settings.students)]})
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {server.key}"}
    made = await server.json("POST", "/api/operate/invites", labels, **headers)
    began, before = time.monotonic(), _used_s(server.pid)
    lasts_s = 60.0 * settings.minutes
    each = settings.versions * settings.minutes / 60
    tasks = []
    for number, invite in enumerate(made["invites"]):
        count = int(each) + (random.random() < each % 1)
        moments = sorted(random.uniform(0, lasts_s) for _ in range(count))
        tasks.append(asyncio.create_task(_student(server, number, invite["code"], moments)))
    waits = [wait for found in await asyncio.gather(*tasks) for wait in found]
    used = {role: used - before[role] for role, used in _used_s(server.pid).items()}
    lasted_s = time.monotonic() - began
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    return waits, seen, used, lasted_s


async def _student(server: Server, number: int, code: str, moments: list[float]) -> list[_Waited]:
    """Submit a version at each moment, or when the one before was checked."""
    began, waits = time.monotonic(), []
    for version, moment in enumerate(moments):
        await asyncio.sleep(max(0.0, began + moment - time.monotonic()))
        name, text = f"student{number}", f"{BOT}# {number} {version}\n".encode()
        path = f"/api/bots?name={name}&file=bot.py"
        kind = {"Content-Type": "application/octet-stream", "Authorization": f"Bearer {code}"}
        submitted = time.monotonic()
        told = await server.json("POST", path, text, **kind)
        assert "error" not in told, told
        while True:
            state = (await server.json("GET", f"/api/submissions/{told['id']}"))["state"]
            if state not in ("queued", "checking"):
                break
            await asyncio.sleep(_LOOK_S)
        assert state == "accepted", state
        waited = _Waited(time.monotonic() - submitted)
        while version == 0:  # a new version takes the place of the old one
            rated = (await server.json("GET", "/api/standings"))["elo"]
            if any(row["bot"] == name for row in rated):
                waited.rank_s = time.monotonic() - submitted
                break
            await asyncio.sleep(_LOOK_S)
        waits.append(waited)
    return waits


def _used_s(server: int) -> dict[str, float]:
    """Return the processor seconds of each process of the server, with what it has ended.

    Bots that are played or checked count to the process that started them.
    """
    found = {"pages": _seconds_of(server)[0]}
    for pid in map(int, Path(f"/proc/{server}/task/{server}/children").read_text().split()):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        role = next((word for word in (b"check", b"play", b"rate") if word in words), None)
        if role is not None:
            found[role.decode()] = found.get(role.decode(), 0.0) + sum(_seconds_of(pid))
    return found


def _seconds_of(pid: int) -> tuple[float, float]:
    """Return the processor seconds of a process, and of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    own, ended = fields[_UTIME : _UTIME + 2], fields[_UTIME + 2 : _UTIME + 4]
    return sum(map(int, own)) / _TICKS, sum(map(int, ended)) / _TICKS

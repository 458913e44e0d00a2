"""Measures what live watching, and people who play, cost a league.

The same server is quiet, watched live, played on, and played on while those games are watched, by
turns; meanwhile it plays its league. What publishing games in play costs those who play them is
measured beside that.
"""

import asyncio
import contextlib
import json
import os
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from ipaddress import IPv4Address
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from arena.rules import preset
from benchmarks.costs.publishing import publishing_cost
from benchmarks.costs.served import worker_of
from benchmarks.lines import Note, aligned, outcome_line
from benchmarks.options import option
from benchmarks.serve import Server, count_games, make_league

_BOTS = ("hunt_target", "uniform_random", "hunt_parity")
_GAMES = 20_000
"""A pairing: more than can be played meanwhile."""

_REPEATS = 100  # of the games by which publishing is measured
_COME_S = 4.0  # within which all come
_THINK_S = 1.0  # a person, for a salvo: a hurried one
_AGAIN_S = 2.0  # as watch.js waits for the next game


@dataclass(frozen=True)
class Settings:
    """The options."""

    watchers: int = option(50, "People who watch live.")
    people: int = option(20, "People who play at once.")
    seconds: int = option(30, "Seconds of each part.", least=5)
    rounds: int = option(3, "How often each part is measured.")


@dataclass
class Seen:
    """The answers: seconds until a bot had answered a salvo, and games played to an end."""

    answers: list[float]
    games: int = 0
    pages: int = 0
    salvos: int = 0
    failed: int = 0


def run(settings: Settings) -> Iterator[str]:
    """Yield a table, and the outcome.

    That is the processor time of the pages and of what plays with people, in percent of one core,
    beyond that of a quiet server, or of one that is as much played on; and the games a second of
    the league over those of a quiet one. Of publishing it is what is added to games of quick bots,
    and in percent of a core what it takes at most with slow ones.
    """
    yield Note("what publishing games in play costs")
    cost = publishing_cost(preset("salvo"), repeats=_REPEATS)
    with tempfile.TemporaryDirectory() as folder:
        league = Path(folder) / "league"
        make_league(league, preset("salvo"), _GAMES, {name: name for name in _BOTS})
        yield Note("quiet, watched and played on, by turns")
        with Server(league) as server:
            found, seen = asyncio.run(_measured(server, settings))
    rows = [
        (what, *(f"{np.mean(found[part][what]):.2f}" for part in _PARTS))
        for what in ("games a second", *_PROCESSES)
    ]
    yield aligned(rows, ("what", *_PARTS))
    quiet = found["quiet"]
    answers = seen.answers or [float("nan")]
    yield outcome_line(
        "people",
        watching_percent=round(_beyond(found["watched"], quiet, _PROCESSES[:1]), 2),
        playing_percent=round(_beyond(found["played on"], quiet), 2),
        watched_ratio=round(_ratio(found["watched"], quiet), 3),
        watching_in_play_percent=round(
            _beyond(found["watched in play"], found["played on"], _PROCESSES[:1]), 2
        ),
        played_ratio=round(_ratio(found["played on"], quiet), 3),
        publishing_quick_percent=round(cost.quick_percent, 2),
        publishing_slow_percent=round(cost.slow_percent, 3),
        salvos_seen=seen.salvos,
        answer_median_s=round(float(np.median(answers)), 3),
        answer_99_s=round(float(np.quantile(answers, 0.99)), 3),
        salvos=len(seen.answers),
        games=seen.games,
        pages=seen.pages,
        failed=seen.failed,
        watchers=settings.watchers,
        people=settings.people,
        cores=os.cpu_count(),
    )


_PARTS = ("quiet", "watched", "played on", "watched in play")
_PROCESSES = ("pages, % of a core", "hosts of people, % of a core")
_Visit = Callable[[Server, Seen, int], Coroutine[Any, Any, None]]
_Found = dict[str, dict[str, list[float]]]


def _beyond(
    part: dict[str, list[float]],
    other: dict[str, list[float]],
    processes: Sequence[str] = _PROCESSES,
) -> float:
    return float(sum(np.mean(part[name]) - np.mean(other[name]) for name in processes))


def _ratio(part: dict[str, list[float]], quiet: dict[str, list[float]]) -> float:
    return float(np.mean(part["games a second"]) / np.mean(quiet["games a second"]))


async def _measured(server: Server, settings: Settings) -> tuple[_Found, Seen]:
    seen = Seen([])
    found: _Found = {part: defaultdict(list) for part in _PARTS}
    while not count_games(server.league):  # noqa: ASYNC110 - another process plays
        await asyncio.sleep(0.5)
    watching, playing = (settings.watchers, watch), (settings.people, play)
    visits: dict[str, tuple[tuple[int, _Visit], ...]] = {
        "quiet": (),
        "watched": (watching,),
        "played on": (playing,),
        "watched in play": (playing, (settings.watchers, watch_in_play)),
    }
    for _ in range(settings.rounds):
        for part, visitors in visits.items():
            async with _visited(server, seen, visitors):
                host = await asyncio.to_thread(worker_of, server.pid, "host")
                began, games = time.monotonic(), count_games(server.league)
                before = [_processor_s(pid) for pid in (server.pid, host)]
                await asyncio.sleep(settings.seconds)
                took_s = time.monotonic() - began
                after = [_processor_s(pid) for pid in (server.pid, host)]
                found[part]["games a second"].append((count_games(server.league) - games) / took_s)
                for name, one, other in zip(_PROCESSES, before, after, strict=True):
                    found[part][name].append(100 * (other - one) / took_s)
    return found, seen


@asynccontextmanager
async def _visited(
    server: Server, seen: Seen, visitors: Sequence[tuple[int, _Visit]]
) -> AsyncIterator[None]:
    tasks = [
        asyncio.create_task(visit(server, seen, number))
        for count, visit in visitors
        for number in range(count)
    ]
    await asyncio.sleep(_COME_S)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def watch(server: Server, seen: Seen, number: int) -> None:
    """Watch live as a browser does: load the page of a game, and ask for the next at its end."""
    source = Random(number)
    address = f"X-Forwarded-For: {IPv4Address('10.0.0.1') + number}\r\n"
    await asyncio.sleep(_COME_S * source.random())
    game = ""
    while True:
        told = await _told(server, "GET /api/live", address)
        if told.get("game") == game:
            await asyncio.sleep(_AGAIN_S + source.random())
            continue
        head = f"GET /live HTTP/1.1\r\nAccept-Encoding: gzip\r\nAccept: text/html\r\n{address}"
        status, page = await server.ask(head.removesuffix("\r\n"))
        seen.failed += status != 200 or not page  # noqa: PLR2004 - an answer
        seen.pages += 1
        if not told:
            await asyncio.sleep(1)
            continue
        game = told["game"]
        salvos = len((await _told(server, f"GET /api/games/{game}", address))["steps"])
        await asyncio.sleep(max(1.0, salvos * told["salvo_s"] - told["at_s"]))


async def watch_in_play(server: Server, seen: Seen, number: int) -> None:
    """Watch a game of a person as a browser does: load the page, and follow its salvos."""
    source = Random(number)
    address = f"X-Forwarded-For: {IPv4Address('10.0.0.1') + number}\r\n"
    await asyncio.sleep(_COME_S * source.random())
    while True:
        head = f"GET /live HTTP/1.1\r\nAccept: text/html\r\n{address}".removesuffix("\r\n")
        _, page = await server.ask(head)
        games = re.findall(rb'href="/live\?game=([0-9a-f]{16})"', page)
        if not games:
            await asyncio.sleep(1)
            continue
        game = source.choice(games).decode()
        status, page = await server.ask(head.replace("/live", f"/live?game={game}"))
        seen.failed += status not in {200, 404}  # the game may have been left
        seen.pages += 1
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1 << 20)
        query = f"game={game}&of={game}&salvos=1"
        writer.write(
            f"GET /live/salvos?{query} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"{address}\r\n".encode()
        )
        try:
            while line := await reader.readline():
                seen.salvos += line.startswith(b'data: {"from')
                if line.startswith((b"event: next", b"0\r\n")):
                    break
        finally:
            writer.close()


async def _told(server: Server, what: str, address: str) -> dict[str, Any]:
    status, body = await server.ask(f"{what} HTTP/1.1\r\n{address}".removesuffix("\r\n"))
    found: dict[str, Any] = json.loads(body) if status == 200 else {}  # noqa: PLR2004 - an answer
    return found


async def play(server: Server, seen: Seen, number: int) -> None:
    """Play game after game as a person does, at random."""
    person = _PEOPLE.setdefault(number, _Person(server, number))
    while True:
        try:
            await asyncio.to_thread(person.begin)
            over = False
            while not over:
                await asyncio.sleep(_THINK_S)
                over = await asyncio.to_thread(person.act, seen)
            seen.games += 1
        except (OSError, KeyError, ValueError):
            seen.failed += 1
            await asyncio.sleep(1)


_PEOPLE: dict[int, "_Person"] = {}
"""Those who came before come again: each has one game in play."""


class _Person:
    """Plays by the API, from an address of its own."""

    def __init__(self, server: Server, number: int) -> None:
        self._server, self._random = server, Random(number)
        self._address = str(IPv4Address("10.1.0.1") + number)
        self._cookie = self._path = ""
        self._news: HTTPConnection | None = None
        self._heard: HTTPResponse | None = None

    def _send(self, method: str, path: str, data: object = None) -> dict[str, Any]:
        with contextlib.closing(HTTPConnection("127.0.0.1", self._server.port)) as connection:
            headers = {
                "X-Forwarded-For": self._address,
                "Content-Type": "application/json",
                "Origin": f"http://127.0.0.1:{self._server.port}",
                **({"Cookie": self._cookie} if self._cookie else {}),
            }
            body = None if data is None else json.dumps(data)
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            cookie = answer.headers.get("set-cookie")
            if cookie:
                self._cookie = cookie.partition(";")[0]
            found: dict[str, Any] = json.loads(answer.read())
            return found

    def begin(self) -> None:
        """Begin a game, and place the fleet."""
        bot = f"{self._random.choice(_BOTS)}@1"
        self._path = f"/api{self._send('POST', '/api/play', {'bot': bot})['page']}"
        self._follow()
        view = self._due(self._send("GET", self._path))
        if view["asked"]:
            ships = self._send("GET", f"{self._path}/layout")["ships"]
            self._do(view, {"type": "layout", "id": "", "ships": ships})

    def _do(self, view: dict[str, Any], action: dict[str, Any]) -> dict[str, Any]:
        return self._send("POST", self._path, {"number": view["number"], "action": action})

    def _follow(self) -> None:
        if self._news is not None:
            self._news.close()
        self._news = HTTPConnection("127.0.0.1", self._server.port, timeout=60)
        headers = {"X-Forwarded-For": self._address, "Cookie": self._cookie}
        self._news.request("GET", f"{self._path.removeprefix('/api')}/news", headers=headers)
        self._heard = self._news.getresponse()

    def _due(self, view: dict[str, Any]) -> dict[str, Any]:
        """Return the game when it is this person's turn, as soon as that is heard of."""
        assert self._heard is not None
        while view["state"] == "open" and not view["asked"]:
            line = self._heard.readline()
            if line.startswith(b"data: ") and int(line[6:]) > view["number"]:
                view = self._send("GET", self._path)
        return view

    def act(self, seen: Seen) -> bool:
        """Fire a salvo, and wait for the bot; return whether the game is over."""
        view = self._due(self._send("GET", self._path))
        if view["state"] != "open":
            return True
        free = [cell for cell, mark in enumerate(view["theirs"]) if mark == "w"]
        cells = self._random.sample(free, view["asked"]["shots"])
        began = time.monotonic()
        self._due(self._do(view, {"type": "shots", "id": "", "cells": cells}))
        seen.answers.append(time.monotonic() - began)
        return False


def _processor_s(pid: int) -> float:
    """Return the processor time of a process; of a worker, with the processes below it."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        is_pages = b"\0serve\0" in Path(f"/proc/{pid}/cmdline").read_bytes()
        own = sum(map(int, fields[11 : 13 if is_pages else 15])) / os.sysconf("SC_CLK_TCK")
        if is_pages:
            return own
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
        return own + sum(_processor_s(int(child)) for child in text.split())
    return 0.0

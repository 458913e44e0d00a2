"""Plays short slices of games, and prints what processor time they take.

``python -P slices.py ORDER``, where ``ORDER`` is JSON for an ``Order``, plays a slice for each line
on stdin and answers with a line of JSON. `python -m benchmarks transport` runs it with the
interpreter of each installation that it compares, so it imports the arena alone, and of that what
changes least. The same games are then played in this process, as training plays them.
"""

import runpy
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from arena.bot import Bot
from arena.entrants import Entrant, parse_entrant
from arena.isolation import Child, Level, start
from arena.player import (
    UNHURRIED,
    Fault,
    InProcessPlayer,
    News,
    Player,
    ProcessTransport,
    RemotePlayer,
    Reply,
)
from arena.protocol import End, Game
from arena.records import Block, BlockRecord, Fixture, PlaceStep
from arena.records import Game as Played
from arena.referee import play_game
from arena.rules import Request, Rules, ShootRequest, view
from arena.store import Store, Tournament

NAMES = ("one", "two")
"""The bots."""

IN_PROCESS = 5
"""How often a slice is played in this process, so that the caches hold what that needs."""


class Order(msgspec.Struct, frozen=True):
    """A request to play slices."""

    rules: Rules
    level: str
    bot: str  # the file of the bot in both seats
    block: int
    record: str


class Installation(msgspec.Struct, frozen=True):
    """The first line of output: the versions of Salvo and Python, and the build of the latter."""

    salvo: str
    python: str
    optimised: bool


class Cost(msgspec.Struct, frozen=True):
    """The processor time of a slice: of both bots, and of the arena, which records too."""

    turns: int  # round trips once fleets were placed, mostly for shots
    turns_ns: int  # processor time from the first to the last of them, summed over the games
    games: int
    games_ns: int  # the rest: games opened, fleets placed, games ended
    recorded: int  # how many games were then recorded, of this slice and earlier ones
    record_ns: int
    in_process_ns: int  # the same games in the arena's process, with round trips and all else


class _Clock:
    """The processor time of this process and of its bots, and that of the shots of games."""

    def __init__(self) -> None:
        self.bots: list[Child] = []
        self.shots_ns = 0
        self._since_ns: int | None = None

    def read_ns(self) -> int:
        spent_ns = time.process_time_ns()
        for child in self.bots:
            assert child.bot_pid is not None
            # How Linux numbers the clock of another process.
            spent_ns += time.clock_gettime_ns(~child.bot_pid << 3 | 2)
        return spent_ns

    def begin_shots(self) -> None:
        if self._since_ns is None:  # the first of both players
            self._since_ns = self.read_ns()

    def end_shots(self) -> None:
        if self._since_ns is not None:
            self.shots_ns += self.read_ns() - self._since_ns
            self._since_ns = None


class _Watched:
    """A player that says when a game's first shot is asked for, and when the game ends."""

    def __init__(self, player: Player, clock: _Clock) -> None:
        self._player = player
        self._clock = clock
        self.start = player.start
        self.ask: Callable[[Request, News], Reply] = self._ask

    def begin(self, game: Game) -> None:
        self.ask = self._ask
        self._player.begin(game)

    def _ask(self, request: Request, news: News) -> Reply:
        if isinstance(request, ShootRequest):
            self._clock.begin_shots()
            self.ask = self._player.ask  # from now on nothing is in the way
        return self._player.ask(request, news)

    def end(self, end: End) -> None:
        self._clock.end_shots()
        self._player.end(end)

    def stop(self, fault: Fault | None = None) -> str:
        return self._player.stop(fault)


class _Slices:
    """Plays the same games again and again, and records them in blocks."""

    def __init__(self, order: Order, stack: ExitStack) -> None:
        self._order = order
        self._clock = _Clock()
        entrants = [parse_entrant(f"{name}={order.bot}", {}) for name in NAMES]

        def connect(entrant: Entrant) -> ProcessTransport:
            child = start(Level(order.level), entrant.program)
            self._clock.bots.append(child)
            return ProcessTransport(child)

        one, two = (
            RemotePlayer(partial(connect, entrant), view(order.rules), UNHURRIED)
            for entrant in entrants
        )
        one.sit_with([two])
        two.sit_with([one])
        self._players = {
            name: _Watched(player, self._clock)
            for name, player in zip(NAMES, (one, two), strict=True)
        }
        for player in self._players.values():
            stack.callback(player.stop)
        bot = _class_in(order.bot)
        self._in_process = {name: InProcessPlayer(bot, view(order.rules)) for name in NAMES}
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=order.record)))
        self._store = stack.enter_context(Store(folder / "games.sqlite3", create=True))
        self._tournament = Tournament(
            name="bench",
            kind="match",
            rules=order.rules,
            seed="0",
            settings=UNHURRIED,
            entrants=tuple(entrants),
        )
        self._store.enter(self._tournament)
        self._played = 0
        self._unrecorded: list[Played] = []

    def warm_up(self) -> None:
        """Start the bots, and play games that do not count."""
        for player in self._players.values():
            player.start()
        self.play()

    def play(self) -> Cost:
        """Play a slice; return what it took."""
        self._played += 1
        self._clock.shots_ns = 0
        before_ns = self._clock.read_ns()
        games = [
            play_game(fixture, self._order.rules, UNHURRIED, self._players)
            for fixture in fixtures(self._played)
        ]
        spent_ns = self._clock.read_ns() - before_ns
        assert not any(game.forfeit for game in games)
        self._unrecorded += games
        recorded, record_ns = self._record()
        return Cost(
            turns=round_trips(games),
            turns_ns=self._clock.shots_ns,
            games=len(games),
            games_ns=spent_ns - self._clock.shots_ns,
            recorded=recorded,
            record_ns=record_ns,
            in_process_ns=self._play_in_process(),
        )

    def _play_in_process(self) -> int:
        """Play the slice in this process; return the least processor time of a few times."""
        all_ns = []
        for _ in range(IN_PROCESS):
            before_ns = time.process_time_ns()
            for fixture in fixtures(self._played):
                play_game(fixture, self._order.rules, UNHURRIED, self._in_process)
            all_ns.append(time.process_time_ns() - before_ns)
        return min(all_ns)

    def _record(self) -> tuple[int, int]:
        """Record the games if they are a block; return how many, and the processor time."""
        games = tuple(self._unrecorded)
        if len(games) < self._order.block:
            return 0, 0
        self._unrecorded.clear()
        before_ns = time.process_time_ns()
        block = Block(NAMES, self._played, tuple(game.fixture for game in games))
        self._store.add(self._tournament, BlockRecord(block, games, "{}"))
        return len(games), time.process_time_ns() - before_ns


def _class_in(file: str) -> type[Bot]:
    """Return the class of the bot that a file defines."""
    module = runpy.run_path(file)
    return next(
        found
        for found in module.values()
        if isinstance(found, type) and issubclass(found, Bot) and found.__module__ != Bot.__module__
    )


def fixtures(slice_: object) -> Iterator[Fixture]:
    """Yield the pair of games of a slice: those of every slice, by other ids."""
    for leg, (first, second) in enumerate([NAMES, NAMES[::-1]]):
        yield Fixture(f"{slice_}-{leg}", first, second, 0, (0, 1))


def round_trips(games: Iterable[Played]) -> int:
    """Return how many requests the bots answered once their fleets were placed."""
    return sum(not isinstance(step, PlaceStep) for game in games for step in game.steps)


def is_optimised(build: Mapping[str, Any]) -> bool:
    """Return whether an interpreter was built with profile-guided optimisation.

    Args:
        build: What its ``sysconfig.get_config_vars`` returns.
    """
    if "--enable-optimizations" in (build.get("CONFIG_ARGS") or ""):
        return True
    # Debian optimises without that option, and takes the second of these flags out afterwards.
    return bool(build.get("PGO_PROF_GEN_FLAG")) and not build.get("PGO_PROF_USE_FLAG")


def _main() -> None:
    order = msgspec.json.decode(sys.argv[1], type=Order)
    with ExitStack() as stack:
        slices = _Slices(order, stack)
        slices.warm_up()
        optimised = is_optimised(sysconfig.get_config_vars())
        _say(Installation(version("salvo-arena"), sys.version.split()[0], optimised))
        for _ in sys.stdin:
            _say(slices.play())


def _say(message: msgspec.Struct) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(message) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    _main()

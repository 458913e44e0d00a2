"""Plays short slices of games, and prints what processor time they take.

``python -P slices.py ORDER``, where ``ORDER`` is JSON for an ``Order``, plays a slice for each line
on stdin and answers with a line of JSON. `python -m benchmarks transport` runs it with the
interpreter of each installation that it compares, so it imports the arena alone, and of that what
changes least.
"""

import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from arena.entrants import parse_entrant
from arena.isolation import Child, Level, start
from arena.player import UNHURRIED, Fault, News, Player, ProcessTransport, RemotePlayer, Reply
from arena.protocol import End, Game
from arena.records import Block, BlockRecord, Fixture, PlaceStep
from arena.records import Game as Played
from arena.referee import play_game
from arena.rules import Request, Rules, ShootRequest, view
from arena.store import Store, Tournament

NAMES = ("one", "two")
"""The bots."""


class Order(msgspec.Struct, frozen=True):
    """What to play.

    Attributes:
        rules: The rules of the games.
        pairs: Pairs of games in a slice, the same in every slice.
        level: How the bots are isolated.
        bot: The file of the bot in both seats.
        block: How many games are recorded together.
        record: The folder to record them in.
    """

    rules: Rules
    pairs: int
    level: str
    bot: str
    block: int
    record: str


class Installation(msgspec.Struct, frozen=True):
    """The first line of output: what plays.

    Attributes:
        salvo: The version of Salvo.
        python: The version of the interpreter.
        optimised: Whether the interpreter was built with profile-guided optimisation.
    """

    salvo: str
    python: str
    optimised: bool


class Cost(msgspec.Struct, frozen=True):
    """What a slice took of all processes: the arena's, which records too, and those of both bots.

    Attributes:
        turns: How many round trips there were once fleets were placed, mostly for shots.
        turns_ns: Processor time from the first to the last of them, summed over the games.
        games: How many games were played.
        games_ns: The rest: games opened, fleets placed, games ended.
        recorded: How many games were then recorded, of this slice and earlier ones.
        record_ns: Processor time of that.
    """

    turns: int
    turns_ns: int
    games: int
    games_ns: int
    recorded: int
    record_ns: int


class _Clocks:
    """The processor time of this process and of its bots."""

    def __init__(self) -> None:
        self._bots: list[Child] = []

    def start(self, level: Level, bot: str, name: str) -> ProcessTransport:
        """Start a bot whose time counts from now on."""
        child = start(level, parse_entrant(f"{name}={bot}", {}).program)
        self._bots.append(child)
        return ProcessTransport(child)

    def read_ns(self) -> int:
        """Return the sum, in nanoseconds."""
        spent_ns = time.process_time_ns()
        for child in self._bots:
            assert child.bot_pid is not None
            # How Linux numbers the clock of another process.
            spent_ns += time.clock_gettime_ns(~child.bot_pid << 3 | 2)
        return spent_ns


class _Watch:
    """Sums up the processor time from the first shot of each game to its end."""

    def __init__(self, read_ns: Callable[[], int]) -> None:
        self._read_ns = read_ns
        self._since_ns: int | None = None
        self.spent_ns = 0

    def begin(self) -> None:
        """Begin with the shots of a game, unless they have begun."""
        if self._since_ns is None:
            self._since_ns = self._read_ns()

    def end(self) -> None:
        """End the shots of a game, unless they have ended."""
        if self._since_ns is not None:
            self.spent_ns += self._read_ns() - self._since_ns
            self._since_ns = None


class _Watched:
    """A player that says when a game's first shot is asked for, and when the game ends."""

    def __init__(self, player: Player, watch: _Watch) -> None:
        self._player = player
        self._watch = watch
        self.start = player.start
        self.ask: Callable[[Request, News], Reply] = self._ask

    def begin(self, game: Game) -> None:
        self.ask = self._ask
        self._player.begin(game)

    def _ask(self, request: Request, news: News) -> Reply:
        if isinstance(request, ShootRequest):
            self._watch.begin()
            self.ask = self._player.ask  # from now on nothing is in the way
        return self._player.ask(request, news)

    def end(self, end: End) -> None:
        self._watch.end()
        self._player.end(end)

    def stop(self, fault: Fault | None = None) -> str:
        return self._player.stop(fault)


class _Slices:
    """Plays the same games again and again, and records them in blocks."""

    def __init__(self, order: Order, stack: ExitStack) -> None:
        self._order = order
        self._clocks = _Clocks()
        self._watch = _Watch(self._clocks.read_ns)
        one, two = (self._remote(name) for name in NAMES)
        one.sit_with([two])
        two.sit_with([one])
        self._players = {
            name: _Watched(player, self._watch)
            for name, player in zip(NAMES, (one, two), strict=True)
        }
        for player in self._players.values():
            stack.callback(player.stop)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=order.record)))
        self._store = stack.enter_context(Store(folder / "games.sqlite3", create=True))
        self._tournament = Tournament(
            name="bench",
            kind="match",
            rules=order.rules,
            seed="0",
            settings=UNHURRIED,
            entrants=tuple(parse_entrant(f"{name}={order.bot}", {}) for name in NAMES),
        )
        self._store.enter(self._tournament)
        self._played = 0
        self._unrecorded: list[Played] = []

    def _remote(self, name: str) -> RemotePlayer:
        order = self._order

        def connect() -> ProcessTransport:
            return self._clocks.start(Level(order.level), order.bot, name)

        return RemotePlayer(connect, view(order.rules), UNHURRIED)

    def warm_up(self) -> None:
        """Start the bots, and play games that do not count."""
        for player in self._players.values():
            player.start()
        self.play()

    def play(self) -> Cost:
        """Play a slice; return what it took."""
        self._played += 1
        self._watch.spent_ns = 0
        before_ns = self._clocks.read_ns()
        games = [
            play_game(fixture, self._order.rules, UNHURRIED, self._players)
            for fixture in fixtures(self._order.pairs, self._played)
        ]
        spent_ns = self._clocks.read_ns() - before_ns
        assert not any(game.forfeit for game in games)
        self._unrecorded += games
        recorded, record_ns = self._record()
        return Cost(
            turns=round_trips(games),
            turns_ns=self._watch.spent_ns,
            games=len(games),
            games_ns=spent_ns - self._watch.spent_ns,
            recorded=recorded,
            record_ns=record_ns,
        )

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


def fixtures(pairs: int, slice_: object) -> Iterator[Fixture]:
    """Yield the games of a slice: those of every slice, by other ids."""
    for pair in range(pairs):
        for leg, (first, second) in enumerate([NAMES, NAMES[::-1]]):
            name = f"{slice_}-{pair}-{leg}"
            yield Fixture(name, first, second, pair, (2 * pair, 2 * pair + 1))


def round_trips(games: Iterable[Played]) -> int:
    """Return how many requests the bots answered once their fleets were placed."""
    return sum(not isinstance(step, PlaceStep) for game in games for step in game.steps)


def _installation() -> Installation:
    optimised = is_optimised(sysconfig.get_config_vars())
    return Installation(version("salvo-arena"), sys.version.split()[0], optimised)


def is_optimised(build: Mapping[str, Any]) -> bool:
    """Return whether an interpreter was built with profile-guided optimisation.

    Args:
        build: What ``sysconfig.get_config_vars`` says in it.
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
        _say(_installation())
        for _ in sys.stdin:
            _say(slices.play())


def _say(message: msgspec.Struct) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(message) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    _main()

"""Players that play without a process, and go wrong where they are told to."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from arena.player import Fault, News, Reply
from arena.protocol import End
from arena.protocol import Game as Opening
from arena.records import Block, Fixture, Settings
from arena.rules import Place, PlaceRequest, Request, Rules, Ship, Shoot, ShootRequest

RULES = Rules(
    name="small", rows=5, columns=5, fleet=(Ship("Cruiser", 3), Ship("Boat", 2)), shots="afloat"
)
SETTINGS = Settings(load_s=5, move_s=1, game_s=10)


@dataclass
class Scripted:
    """Places its fleet on the last rows and shoots at one cell after another.

    Attributes:
        faults: What goes wrong: the call, the number of the game from 0, the number of the
            request in it from 0 (0 where it is no request), and how.
        log: The calls of start and stop, and what it was told at either.
        openings: What it was told when games began.
        asked: The requests and news of each game.
        endings: What it was told when games ended.
    """

    faults: dict[tuple[str, int, int], Exception | Shoot | Place] = field(default_factory=dict)
    log: list[object] = field(default_factory=list)
    openings: list[Opening] = field(default_factory=list)
    asked: list[list[tuple[Request, News]]] = field(default_factory=list)
    endings: list[End] = field(default_factory=list)
    started: int = 0

    def _fault(self, call: str, game: int, request: int = 0) -> Shoot | Place | None:
        fault = self.faults.get((call, game, request))
        if isinstance(fault, Exception):
            raise fault
        return fault

    def start(self) -> None:
        """Note it."""
        self.log.append("start")
        self.started += 1
        self._fault("start", self.started - 1)

    def begin(self, game: Opening) -> None:
        """Begin a game."""
        self.openings.append(game)
        self.asked.append([])
        self.shot = 0
        self._fault("begin", len(self.openings) - 1)

    def ask(self, request: Request, news: News) -> Reply:
        """Answer honestly, if nothing is to go wrong."""
        self.asked[-1].append((request, news))
        wrong = self._fault("ask", len(self.openings) - 1, len(self.asked[-1]) - 1)
        if wrong is not None:
            return Reply(wrong, 0.0)
        if isinstance(request, PlaceRequest):
            return Reply(Place({"Cruiser": (20, 21, 22), "Boat": (15, 16)}), 0.123456789)
        assert isinstance(request, ShootRequest)
        cells = tuple(range(self.shot, self.shot + request.shots))
        self.shot += request.shots
        return Reply(Shoot(cells), 0.25)

    def end(self, end: End) -> None:
        """Note how it ended."""
        self.endings.append(end)

    def stop(self, fault: Fault | None = None) -> str:
        """Note it."""
        self.log.append(("stop", None if fault is None else fault.termination))
        return "" if fault is None else "its last words"


def make_block(games: int, *, solo: bool = False, swap: bool = True) -> Block:
    """Return a block in which the seats swap from one game to the next, or never."""
    fixtures = []
    for number in range(games):
        first, second = ("a", "b") if number % 2 == 0 or not swap else ("b", "a")
        seeds = (100 + number // 2, 200 + number // 2)
        game_id = f"game {number}"
        if solo:
            fixtures.append(Fixture(game_id, "a", None, number, seeds))
        else:
            fixtures.append(Fixture(game_id, first, second, number // 2, seeds))
    return Block(("a",) if solo else ("a", "b"), 0, tuple(fixtures))


@pytest.fixture
def players() -> dict[str, Scripted]:
    return {"a": Scripted(), "b": Scripted()}


@pytest.fixture
def block() -> Callable[..., Block]:
    return make_block


@pytest.fixture
def rules() -> Rules:
    return RULES


@pytest.fixture
def settings() -> Settings:
    return SETTINGS

"""The bundled bots as the imported package holds them, and an arena small enough for a test."""

import importlib
import os
import random
import statistics
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import BinaryIO, Literal, cast

import pytest

import arena
import bots
from arena import Bot
from arena.bot import _Session, serve
from arena.player import Fault as PlayerFault
from arena.player import News, RemotePlayer, Reply
from arena.protocol import (
    PROTOCOL_VERSION,
    Bye,
    End,
    FromBot,
    Game,
    Hello,
    Introduction,
    Layout,
    Limits,
    PlaceFleet,
    ShootSalvo,
    Shots,
    ToBot,
    decode_from_bot,
    decode_to_bot,
    encode,
)
from arena.records import Fixture, Settings, Termination
from arena.records import Game as GameRecord
from arena.referee import play_game
from arena.rules import (
    Place,
    Report,
    Request,
    Rules,
    Salvo,
    Shoot,
    ShootRequest,
    State,
    apply,
    begin,
    begin_solo,
    draw_uniform,
    name_layout,
    preset,
    view,
)

LIMITS = Limits(move_s=10, game_s=100, load_s=10)

Script = Generator[ToBot, FromBot | None, None]
"""Says what the arena says next, and is sent the bot's answer where one is due."""


def bundled() -> dict[str, Path]:
    """Return the file of every bundled bot, by name."""
    folder = Path(str(resources.files(bots)))
    files = {file.stem: file for file in folder.glob("*.py") if file.stem != "__init__"}
    return files | {file.parent.name: file for file in folder.glob("*/bot.py")}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "bundled_bot" not in metafunc.fixturenames:
        return
    marker = metafunc.definition.get_closest_marker("by")
    if marker is None:
        metafunc.parametrize("bundled_bot", sorted(bundled()))
        return
    played = [
        pytest.param(bot, rules, id=f"{bot}-{rules.name}")
        for bot in sorted(bundled())
        for rules in marker.args[0]
        if load(bot)().plays(view(rules))
    ]
    metafunc.parametrize(("bundled_bot", "rules"), played)


def load(name: str) -> type[Bot]:
    """Return the class of the bundled bot of that name."""
    module = importlib.import_module(f"bots.{name}")
    if not hasattr(module, "run"):
        module = importlib.import_module(f"bots.{name}.bot")
    (found,) = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Bot)
        and value.__module__ == module.__name__
    ]
    return found


def play_solo(rules: Rules, layout: Sequence[int], seed: int, played: list[Salvo]) -> Script:
    """Play one solo game, and add its salvos to ``played``."""
    yield Game(rules=view(rules), seat="first", seed=seed, solo=True, limits=LIMITS)
    state = begin_solo(rules, tuple(layout))
    report: Report | None = None
    while isinstance(request := state.request, ShootRequest):
        state = yield from _ask_salvo(state, request, report, (), played)
        report = played[-1].report
    yield _end("won", report, (), {})


def play_duel(rules: Rules, seed: int, played: list[Salvo]) -> Script:
    """Play one game for two, against an opponent that shoots the cells in order."""
    yield Game(rules=view(rules), seat="first", seed=seed, solo=False, limits=LIMITS)
    answer = yield PlaceFleet(id="0", time_left_s=LIMITS.game_s)
    assert isinstance(answer, Layout)
    state = apply(begin(rules), Place(answer.ships))
    theirs = name_layout(rules, draw_uniform(rules, random.Random(seed)))
    state = apply(state, Place(theirs))
    report: Report | None = None
    incoming: list[tuple[int, ...]] = []
    aimed = 0
    while isinstance(request := state.request, ShootRequest):
        if request.seat == "first":
            state = yield from _ask_salvo(state, request, report, tuple(incoming), played)
            report = played[-1].report
            incoming.clear()
        else:
            cells = range(aimed, aimed + request.shots)
            aimed += request.shots
            state = apply(state, Shoot(cells))
            incoming.append(tuple(cells))
    layout = {name: tuple(ship) for name, ship in theirs.items()}
    yield _end("won" if state.result == "first" else "lost", report, tuple(incoming), layout)


def _ask_salvo(
    state: State,
    request: ShootRequest,
    report: Report | None,
    incoming: tuple[tuple[int, ...], ...],
    played: list[Salvo],
) -> Generator[ToBot, FromBot | None, State]:
    name = str(len(played))
    answer = yield ShootSalvo(name, request.shots, LIMITS.game_s, report, incoming)
    assert isinstance(answer, Shots)
    assert answer.id == name
    state = apply(state, Shoot(answer.cells))
    assert state.salvo is not None
    played.append(state.salvo)
    return state


def _end(
    result: Literal["won", "lost"],
    report: Report | None,
    incoming: tuple[tuple[int, ...], ...],
    layout: dict[str, tuple[int, ...]],
) -> End:
    return End(
        result=result,
        termination="all ships sunk",
        reason="all ships were sunk",
        report=report,
        incoming=incoming,
        opponent_layout=layout,
    )


def play_block(rules: Rules, games: Iterable[Script]) -> Script:
    """Play some games between the greeting and the farewell."""
    introduction = yield Hello(protocol=PROTOCOL_VERSION, rules=view(rules))
    assert isinstance(introduction, Introduction)
    assert introduction.plays
    for game in games:
        yield from game
    yield Bye()


@dataclass(frozen=True)
class Played:
    """The bot's salvos in one game."""

    salvos: list[Salvo] = field(default_factory=list)

    @property
    def cells(self) -> list[int]:
        return [cell for salvo in self.salvos for cell in salvo.cells]


@dataclass(frozen=True)
class Block:
    """Some games by one rule set, one a seed; layouts that are not given are drawn."""

    rules: Rules
    seeds: Sequence[int]
    layout: Sequence[int] | None
    solo: bool
    games: list[Played] = field(default_factory=list)

    def script(self) -> Script:
        return play_block(self.rules, self._scripts())

    def _scripts(self) -> Iterator[Script]:
        for seed in self.seeds:
            self.games.append(Played())
            salvos = self.games[-1].salvos
            if self.solo:
                layout = self.layout or draw_uniform(self.rules, random.Random(seed))
                yield play_solo(self.rules, layout, seed, salvos)
            else:
                yield play_duel(self.rules, seed, salvos)


class Wire:
    """Stands between the kit and a script, in place of stdin and stdout."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.answer: FromBot | None = None

    def readline(self) -> bytes:
        try:
            message = self.script.send(self.answer)
        except StopIteration:
            return b""
        self.answer = None
        return encode(message)

    def write(self, line: bytes) -> None:
        self.answer = decode_from_bot(line)


class InProcess:
    """A transport to a bot in this process."""

    def __init__(self, bot: Bot) -> None:
        self.session = _Session(bot)
        self.line: bytes | None = None

    def send(self, line: bytes, deadline: float) -> None:
        del deadline
        self.line = self.session.answer(line)

    def receive(self, deadline: float) -> bytes | None:
        del deadline
        return self.line

    def pause(self) -> None:
        pass

    def resume(self) -> None:
        pass

    def times_s(self) -> None:
        pass

    def alone(self) -> bool:
        return True

    def last_words(self) -> str:
        return ""

    def close(self, *, grace_s: float) -> None:
        del grace_s


ENOUGH = "enough was seen"


class Leaving(RemotePlayer):
    """A bot that leaves once it has answered so many requests."""

    answers_left: int | None = None

    def ask(self, request: Request, news: News) -> Reply:
        if self.answers_left is not None:
            self.answers_left -= 1
            if self.answers_left < 0:
                raise PlayerFault(Termination.EXITED, ENOUGH)
        return super().ask(request, news)


@pytest.fixture
def referee() -> Callable[..., list[GameRecord]]:
    """Return a function that lets a bot play by any rules, alone or against its twin.

    Where ``answers`` is given, each leaves after so many, and forfeits with ``ENOUGH`` as reason.
    """

    def refereed(
        bot: str | Callable[[], Bot],
        rules: Rules,
        *,
        seeds: Sequence[int],
        solo: bool,
        answers: int | None = None,
    ) -> list[GameRecord]:
        make = load(bot) if isinstance(bot, str) else bot
        patient = Settings(load_s=100, move_s=100, game_s=1000)
        players = {
            seat: Leaving(lambda: InProcess(make()), view(rules), patient)
            for seat in ("bot", "twin")
        }
        for player in players.values():
            player.answers_left = answers
        fixtures = [
            Fixture(str(seed), "bot", None if solo else "twin", seed, (seed, seed + 1))
            for seed in seeds
        ]
        return [play_game(fixture, rules, patient, players) for fixture in fixtures]

    return refereed


@pytest.fixture
def bot_files() -> dict[str, Path]:
    """Return the file of every bundled bot, by name."""
    return bundled()


@pytest.fixture
def load_bot() -> Callable[[str], type[Bot]]:
    """Return a function that loads the class of a bundled bot."""
    return load


@pytest.fixture
def play() -> Callable[..., list[Played]]:
    """Return a function that plays a block in this process, through the kit."""

    def in_process(
        name: str,
        rules: Rules,
        *,
        seeds: Sequence[int] = (1,),
        layout: Sequence[int] | None = None,
        solo: bool = True,
    ) -> list[Played]:
        block = Block(rules, seeds, layout, solo)
        wire = Wire(block.script())
        serve(load(name)(), cast("BinaryIO", wire), wire.write)
        return block.games

    return in_process


@pytest.fixture
def play_as_script() -> Callable[..., list[Played]]:
    """Return a function that plays a block with the bot as a process of its own."""

    def as_script(
        name: str,
        rules: Rules,
        *,
        seeds: Sequence[int] = (1,),
        solo: bool = True,
        hash_seed: int = 0,
    ) -> list[Played]:
        block = Block(rules, seeds, None, solo)
        wire = Wire(block.script())
        roots = {str(Path(package.__path__[0]).parent) for package in (arena, bots)}
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(sorted(roots)),
            "PYTHONHASHSEED": str(hash_seed),
        }
        command = [sys.executable, "-P", str(bundled()[name])]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            watchdog = threading.Timer(60, process.kill)
            watchdog.start()
            try:
                for line in iter(wire.readline, b""):
                    process.stdin.write(line)
                    process.stdin.flush()
                    if isinstance(decode_to_bot(line), Hello | PlaceFleet | ShootSalvo):
                        wire.write(process.stdout.readline())
                process.stdin.close()
                assert process.stdout.read() == b""
                assert process.wait() == 0
            finally:
                watchdog.cancel()
                process.kill()
        return block.games

    return as_script


@pytest.fixture
def mean_turns(play: Callable[..., list[Played]]) -> Callable[..., float]:
    """Return a function that measures the mean turns of a bundled bot over uniform layouts."""

    def measure(name: str, rules_name: str, layouts: int) -> float:
        games = play(name, preset(rules_name), seeds=range(layouts))
        return statistics.mean(len(game.salvos) for game in games)

    return measure

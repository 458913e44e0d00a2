"""The bundled bots as the imported package holds them, and an arena small enough for a test."""

import functools
import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena import Bot
from arena.entrants import parse_entrant
from arena.isolation import Level, start
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
from arena.records import Fixture, Game, ShootStep, Termination
from arena.referee import play_game
from arena.replay import replay
from arena.rules import Request, Rules, Salvo, draw, preset, view
from salvo.bundled import bot_class, bundled_bots


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "bundled_bot" not in metafunc.fixturenames:
        return
    marker = metafunc.definition.get_closest_marker("by")
    if marker is None:
        metafunc.parametrize("bundled_bot", sorted(bundled_bots()))
        return
    played = [
        pytest.param(bot, rules, id=f"{bot}-{rules.name}")
        for bot in sorted(bundled_bots())
        for rules in marker.args[0]
        if made(bot).plays(view(rules))
    ]
    metafunc.parametrize(("bundled_bot", "rules"), played)


@functools.cache
def made(bot: str) -> Bot:
    """Return a bundled bot, to be asked what it plays: some read large files when they are made."""
    return bot_class(bot)()


class InOrder(Bot):
    """The opponent of a duel: it shoots the cells in order."""

    def choose_shots(self, count: int) -> Sequence[int]:
        return range(len(self.shot), len(self.shot) + count)


@dataclass(frozen=True)
class Played:
    """The bot's salvos in one game."""

    salvos: list[Salvo] = field(default_factory=list)

    @property
    def cells(self) -> list[int]:
        return [cell for salvo in self.salvos for cell in salvo.cells]


def salvos_of(game: Game, rules: Rules) -> list[Salvo]:
    """Return the salvos of the first seat."""
    found: list[Salvo] = []
    for state in replay(game, rules):
        salvo = state.salvo
        if salvo is not None and salvo.by == "first" and (not found or salvo is not found[-1]):
            found.append(salvo)
    return found


def play_block(
    player: Player, rules: Rules, seeds: Sequence[int], layout: Sequence[int] | None, *, solo: bool
) -> list[Game]:
    """Let a player shoot in one game a seed; layouts that are not given are drawn."""
    players = {"bot": player, "in order": InProcessPlayer(InOrder, view(rules))}
    games = []
    for seed in seeds:
        fixture = Fixture(str(seed), "bot", None if solo else "in order", seed, (seed, seed))
        lies = None if not solo else tuple(layout or draw(rules, random.Random(seed)))
        game = play_game(fixture, rules, UNHURRIED, players, layout=lies)
        assert game.forfeit is None, game.reason
        games.append(game)
    return games


ENOUGH = "enough was seen"

HASH_SEED = 1
"""Of ``PYTHONHASHSEED``, by which a process orders its sets of text."""


class Leaving(InProcessPlayer):
    """A bot that leaves once it has answered so many requests."""

    answers_left: int | None = None

    def ask(self, request: Request, news: News) -> Reply:
        if self.answers_left is not None:
            self.answers_left -= 1
            if self.answers_left < 0:
                raise Fault(Termination.EXITED, ENOUGH)
        return super().ask(request, news)


@pytest.fixture
def referee() -> Callable[..., list[Game]]:
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
    ) -> list[Game]:
        make = bot_class(bot) if isinstance(bot, str) else bot
        players = {seat: Leaving(make, view(rules)) for seat in ("bot", "twin")}
        for player in players.values():
            player.answers_left = answers
        fixtures = [
            Fixture(str(seed), "bot", None if solo else "twin", seed, (seed, seed + 1))
            for seed in seeds
        ]
        return [play_game(fixture, rules, UNHURRIED, players) for fixture in fixtures]

    return refereed


@pytest.fixture
def bot_files() -> Mapping[str, Path]:
    """Return the script of every bundled bot, by name."""
    return {
        name: path / "bot.py" if path.is_dir() else path for name, path in bundled_bots().items()
    }


@pytest.fixture
def load_bot() -> Callable[[str], type[Bot]]:
    """Return a function that loads the class of a bundled bot."""
    return bot_class


@pytest.fixture
def made_bot(bundled_bot: str) -> Bot:
    """Return a bundled bot, to be asked what it plays."""
    return made(bundled_bot)


@pytest.fixture
def play() -> Callable[..., list[Played]]:
    """Return a function that plays a block in this process."""

    def in_process(
        name: str,
        rules: Rules,
        *,
        seeds: Sequence[int] = (1,),
        layout: Sequence[int] | None = None,
        solo: bool = True,
    ) -> list[Played]:
        player = InProcessPlayer(bot_class(name), view(rules))
        games = play_block(player, rules, seeds, layout, solo=solo)
        return [Played(salvos_of(game, rules)) for game in games]

    return in_process


@pytest.fixture
def play_as_script() -> Callable[..., list[Played]]:
    """Return a function that plays a block with the bot as a process of its own.

    It has another order of sets than this process, unless that happens to have the same seed.
    """

    def as_script(
        name: str,
        rules: Rules,
        *,
        seeds: Sequence[int] = (1,),
        solo: bool = True,
    ) -> list[Played]:
        program = parse_entrant(name, bundled_bots()).program
        command = ("/usr/bin/env", f"PYTHONHASHSEED={HASH_SEED}", *program.argv)
        seeded = replace(program, argv=command)
        player = RemotePlayer(
            lambda: ProcessTransport(start(Level.NONE, seeded)), view(rules), UNHURRIED
        )
        try:
            games = play_block(player, rules, seeds, None, solo=solo)
        finally:
            player.stop()
        return [Played(salvos_of(game, rules)) for game in games]

    return as_script


@pytest.fixture
def first_salvo(referee: Callable[..., list[Game]]) -> Callable[..., tuple[int, ...]]:
    """Return a function that has a bundled bot begin a game alone, and returns its first cells."""

    def begun(bot: str, rules: Rules, *, seed: int) -> tuple[int, ...]:
        (game,) = referee(bot, rules, seeds=[seed], solo=True, answers=1)
        return next(step.cells for step in game.steps if isinstance(step, ShootStep))

    return begun


@pytest.fixture
def mean_turns() -> Callable[..., float]:
    """Return a function that measures the mean turns of a bundled bot over layouts of the arena."""

    def measure(name: str, rules_name: str, layouts: int) -> float:
        rules = preset(rules_name)
        player = InProcessPlayer(bot_class(name), view(rules))
        games = play_block(player, rules, range(layouts), None, solo=True)
        return statistics.mean(game.tallies[0].turns for game in games)

    return measure

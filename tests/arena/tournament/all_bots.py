"""Tournaments of all bundled bots that can play a preset, which may run in the arena's process.

What is tried so is whether bots, rules and tables get on with each other. Starting a few thousand
processes would take minutes, and so would all that the bots think: in this process they hurry.
"""

import importlib
import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import arena.tournament
from arena import Bot
from arena.bot import _Session
from arena.isolation import Level, Program
from arena.player import RemotePlayer
from arena.protocol import Hello, Introduction, decode_from_bot, encode
from arena.records import Settings
from arena.replay import replay
from arena.rules import Rules, preset, view
from arena.store import Store
from bots.tactics.posterior.estimate import Effort, Posterior, estimate
from bots.tactics.posterior.explanations import Explanations
from salvo.bundled import bundled_bots
from salvo.cli.main import main

SIZE = ("--games", "2", "--layouts", "2", "--format", "json")


class InProcess:
    """A bundled bot without a process; see ``arena.player.Transport``."""

    def __init__(self, bot: Bot) -> None:
        self._session = _Session(bot)
        self._answer: bytes | None = None

    def send(self, line: bytes, _deadline: float) -> None:
        self._answer = self._session.answer(line)

    def receive(self, _deadline: float) -> bytes | None:
        return self._answer

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    def times_s(self) -> None:
        return None

    def alone(self) -> bool:
        return True

    def last_words(self) -> str:
        return ""

    def close(self, *, grace_s: float) -> None: ...


def bot_of(name: str) -> Bot:
    """Return a bundled bot by its name."""
    module = importlib.import_module(f"bots.{name}")
    if not hasattr(module, "run"):
        module = importlib.import_module(f"bots.{name}.bot")
    [found] = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Bot)
        and value.__module__ == module.__name__
    ]
    return found()


def connect(program: Program, rules: Rules, settings: Settings, _isolation: Level) -> RemotePlayer:
    """Return a bot as a player; see ``arena.tournament.connect``."""
    path = Path(program.argv[-1])
    name = path.parent.name if path.name == "bot.py" else path.stem
    return RemotePlayer(lambda: InProcess(bot_of(name)), view(rules), settings)


def hurry(known: Explanations, random: np.random.Generator, _effort: Effort) -> Posterior:
    """Return a posterior from few layouts; see ``bots.tactics.posterior.estimate.estimate``."""
    return estimate(known, random, Effort(limit=64, draws=64, rounds=1))


def plays(name: str, rules: Rules) -> bool:
    answer = _Session(bot_of(name)).answer(encode(Hello(1, view(rules))))
    assert answer is not None
    introduction = decode_from_bot(answer)
    assert isinstance(introduction, Introduction)
    return introduction.plays


def play(name: str, folder: Path, *words: str, in_process: bool) -> dict[str, Any]:
    """Play a tournament of all bundled bots by a preset, and return its leaderboards.

    Everybody who says so plays, everybody else is told to be left out, and nothing else is said.
    """
    for bot in bundled_bots():
        bot_of(bot)  # imported here once, and not in every worker
    command = ["tournament", *bundled_bots(), "--rules", name, *SIZE, *words]
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["salvo", *command])
        if in_process:
            patch.setattr(arena.tournament, "connect", connect)
            patch.setattr("bots.tactics.posterior.belief.estimate", hurry)
            patch.setattr("bots.thompson.MAX_BLOCKS", 2)
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as end:
            main()
    assert not end.value.code, err.getvalue()
    for line in err.getvalue().splitlines():
        assert line.endswith((f"does not play {name} and is left out", "holds every game")), line
    leaderboards: dict[str, Any] = json.loads(out.getvalue())
    return leaderboards


def check(name: str, folder: Path, *words: str, in_process: bool = True) -> None:
    """See that all who can play did, against each other and alone, and without a fault."""
    leaderboards, rules = play(name, folder, *words, in_process=in_process), preset(name)
    field = {bot for bot in bundled_bots() if plays(bot, rules)}
    assert len(field) > 1
    assert {row["bot"] for row in leaderboards["elo"]} == field
    assert {row["bot"] for row in leaderboards["turns"]} == field
    assert {row["games"] for row in leaderboards["elo"]} == {2 * (len(field) - 1)}
    with Store(folder / "salvo.sqlite3", create=False) as store:
        games = list(store.games(store.tournament().name))
    for game in games:
        assert game.forfeit is None, (game.fixture, game.reason)
        *_, last = replay(game, rules)
        assert (last.result, last.ending) == (game.result, game.termination)
    page = (folder / "salvo-report.html").read_text(encoding="utf-8")
    absent = [bot for bot in bundled_bots() if bot not in field]
    assert not absent or f"they do not play {name}: {', '.join(absent)}." in page

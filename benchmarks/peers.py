"""Measures moves and games a second beside other libraries that let programs play each other.

Players move at random everywhere. The games differ, so what is compared is the cost of a move: one
decision of one player. Each library plays in a process of its own, if it is installed. To install
them all in a virtual environment of their own:

\b
python -m venv peers
peers/bin/pip install axelrod "pettingzoo[classic]" open_spiel kaggle-environments
python -m benchmarks peers --others peers
"""  # noqa: D301 - click leaves the lines after its mark as they are

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from arena.isolation import Level
from arena.player import UNHURRIED, InProcessPlayer
from arena.records import Fixture
from arena.referee import play_game
from arena.rules import preset, view
from benchmarks.costs.processor import python_of
from benchmarks.costs.slices import Cost, Order
from benchmarks.lines import Note, markdown, outcome_line
from benchmarks.options import option
from bots.uniform_random import UniformRandom
from salvo.cli.options.run_options import choose_level

_RULES = "classic"
_BLOCK = 10  # games recorded together


@dataclass(frozen=True)
class Settings:
    """The options."""

    seconds: int = option(3, "Processor time that each may use, in seconds.", least=1)
    others: Path | None = option(
        None,
        "A virtual environment that has the others.",
        metavar="VENV",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
    )


class _Peer(NamedTuple):
    """Another library: its name in ``peer_games``, its game, and what it leaves out."""

    name: str
    game: str
    leaves_out: str


_LIBRARIES = {
    "Axelrod": _Peer(
        "axelrod", "prisoner's dilemma", "isolation, deadlines, checks; keeps the choices"
    ),
    "PettingZoo": _Peer(
        "pettingzoo", "tic-tac-toe", "isolation, deadlines, record; checks that moves are legal"
    ),
    "OpenSpiel": _Peer(
        "open_spiel", "battleship, in C++ driven from Python", "isolation, deadlines, record"
    ),
    "kaggle-environments": _Peer(
        "kaggle", "connect four", "isolation; has deadlines, and steps as JSON"
    ),
}


class _Found(msgspec.Struct, frozen=True):
    """The games and moves that were played in some processor time."""

    games: int
    moves: int
    seconds: float
    version: str


def run(settings: Settings) -> Iterator[str]:
    """Yield a table with a line for each, and the outcome.

    Raises:
        UserError: If an environment has no interpreter.
    """
    python = sys.executable if settings.others is None else python_of(settings.others)
    level = choose_level("auto").level
    found: dict[str, _Found | None] = {}
    told = {
        "Salvo in process": (f"battleship, {_RULES}", "isolation, record; checks every answer"),
        f"Salvo, {level}": (
            f"battleship, {_RULES}",
            "nothing: isolation, deadlines, a record of every answer"
            if level is Level.SANDBOX
            else f"isolation as {level} has it; deadlines, a record of every answer",
        ),
    }
    yield Note("Salvo")
    for name, play in zip(told, (_in_process, _isolated), strict=True):
        found[name] = play(settings.seconds, level)
    for name, peer in _LIBRARIES.items():
        yield Note(name)
        told[name] = (peer.game, peer.leaves_out)
        found[name] = _played(python, peer.name, settings.seconds)
    rows = [_row(name, found[name], *told[name]) for name in told]
    heads = ("what", "version", "game", "moves a second", "microseconds a move", "games a second")
    yield markdown(rows, (*heads, "leaves out"))
    speeds = {name: round(one.moves / one.seconds) for name, one in found.items() if one}
    yield outcome_line("peers", moves_per_s=speeds, ratio=_ratio(speeds))


def _ratio(speeds: dict[str, int]) -> float | None:
    """Return how many moves Salvo plays in process, as a share of OpenSpiel's, if it is there."""
    other = speeds.get("OpenSpiel")
    return round(speeds["Salvo in process"] / other, 3) if other else None


def _row(name: str, found: _Found | None, game: str, leaves_out: str) -> tuple[str, ...]:
    if found is None:
        return (name, "not installed", game, "", "", "", leaves_out)
    moves, games = found.moves / found.seconds, found.games / found.seconds
    return (
        *(name, found.version, game),
        *(f"{moves:,.0f}", f"{1e6 / moves:.1f}", f"{games:,.1f}", leaves_out),
    )


def _in_process(seconds: float, _level: Level) -> _Found:
    """Play games between two bots of this process."""
    rules = preset(_RULES)
    seen = view(rules)
    games = moves = 0
    began = time.process_time()
    while (used := time.process_time() - began) < seconds:
        players = {name: InProcessPlayer(UniformRandom, seen) for name in ("one", "two")}
        fixture = Fixture(f"{games}", "one", "two", games, (games, games + 1))
        game = play_game(fixture, rules, UNHURRIED, players)
        assert game.forfeit is None, game.reason
        moves += len(game.steps)
        games += 1
    return _Found(games, moves, used, version("salvo-arena"))


def _isolated(seconds: float, level: Level) -> _Found:
    """Play games between two bots in processes of their own, and record them."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        bot = stack.enter_context(as_file(files("bots") / "uniform_random.py"))
        order = Order(preset(_RULES), level.value, str(bot), _BLOCK, folder)
        program = str(files("benchmarks.costs") / "slices.py")
        process = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-P", program, msgspec.json.encode(order).decode()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()  # what is installed
        games = moves = 0
        used_s = 0.0
        while used_s < seconds or games % _BLOCK:
            process.stdin.write(b"\n")
            process.stdin.flush()
            cost = msgspec.json.decode(process.stdout.readline(), type=Cost)
            games += cost.games
            moves += cost.turns + 2 * cost.games  # and two fleets were placed
            used_s += (cost.turns_ns + cost.games_ns + cost.record_ns) / 1e9
        process.stdin.close()
    return _Found(games, moves, used_s, version("salvo-arena"))


def _played(python: str, peer: str, seconds: float) -> _Found | None:
    """Return what a library plays, or None if an interpreter does not have it."""
    with as_file(files("benchmarks.costs") / "peer_games.py") as program:
        command: list[Any] = [python, "-P", program, peer, str(seconds)]
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False
        )
    lines = done.stdout.splitlines()
    return msgspec.json.decode(lines[-1], type=_Found) if lines and not done.returncode else None

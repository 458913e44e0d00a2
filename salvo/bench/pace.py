"""How long a bot takes for a move, how much memory, and how true what it believes is.

``python -m salvo.bench.pace BOT GAMES SEED`` plays in a process of its own, with one thread,
and prints one line of JSON: it is started so by ``measure_pace``, to have memory of its own.
"""

import importlib
import os
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import numpy as np

from arena.bot import Bot
from arena.protocol import Limits
from arena.records import Settings
from arena.rules import (
    CellsReport,
    Rules,
    Shoot,
    ShootRequest,
    apply,
    begin_solo,
    draw_uniform,
    preset,
    view,
)

__all__ = ["Pace", "measure_pace", "moves", "start_game"]

KIBIBYTE = 1024


class Pace(msgspec.Struct, frozen=True):
    """What a bot costs.

    Attributes:
        games: How many games were played.
        mean_ms: Processor time of a move, the mean over all games, the arena's part included.
        worst_ms: Wall time of the slowest move.
        game_s: Processor time of a game, the arena's part included.
        wall_ms: Wall time of a move, which depends on what else the machine does.
        peak_mb: The most memory that was resident.
        mean_shots: Shots to sink the fleet.
    """

    games: int
    mean_ms: float
    worst_ms: float
    game_s: float
    wall_ms: float
    peak_mb: float
    mean_shots: float


def measure_pace(bot: str, games: int, seed: int) -> Pace:
    """Return what a bundled bot costs in the classic game, alone in a process."""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "salvo.bench.pace", bot, str(games), str(seed)]
    done = subprocess.run(command, check=True, capture_output=True, env=environment)
    return msgspec.json.decode(done.stdout, type=Pace)


def start_game(bot: Bot, rules: Rules, seed: int) -> None:
    """Open a solo game in the book of a bot, as the kit does."""
    settings = Settings()
    bot.rules, bot.seat, bot.solo = view(rules), "first", True
    bot.limits = Limits(settings.move_s, settings.game_s, settings.load_s)
    bot.random = random.Random(seed)
    bot.shot, bot.hits, bot.sunk, bot.incoming, bot.layout = [], [], [], [], {}
    bot.reports, bot.sunk_count, bot.time_left_s = [], 0, settings.game_s
    bot.afloat = list(bot.rules.opponent_fleet or ())
    bot.game_begins()


def moves(
    bot: Bot, rules: Rules, layout: tuple[int, ...], choose: Callable[[int], tuple[int, ...]]
) -> Iterator[tuple[int, ...]]:
    """Play a game, each salvo chosen by ``choose`` of the shots due, and yield the salvos."""
    state = begin_solo(rules, layout)
    while isinstance(request := state.request, ShootRequest):
        cells = choose(request.shots)
        yield cells
        state = apply(state, Shoot(cells))
        assert state.salvo is not None
        report = state.salvo.report
        assert isinstance(report, CellsReport)
        assert isinstance(report.sunk, tuple)
        bot.shot += cells
        bot.reports.append((cells, report))
        bot.hits += report.hits
        bot.sunk_count += len(report.sunk)
        bot.sunk += [(ship, cells) for ship in bot.afloat if ship.name in report.sunk]
        bot.afloat = [ship for ship in bot.afloat if ship.name not in report.sunk]


def _measure(name: str, games: int, seed: int) -> Pace:
    bot = _make(name)
    rules = preset("classic")
    walls: list[float] = []

    def choose(count: int) -> tuple[int, ...]:
        started = time.perf_counter()
        cells = tuple(int(cell) for cell in bot.choose_shots(count))
        walls.append(time.perf_counter() - started)
        return cells

    # To ask for the processor time can take as long as a move: it is asked for once.
    used = time.process_time()
    for game in range(games):
        start_game(bot, rules, seed + game)

        layout = draw_uniform(rules, random.Random(f"{seed} {game}"))
        for _ in moves(bot, rules, layout, choose):
            pass
    used = time.process_time() - used
    return Pace(
        games=games,
        mean_ms=1e3 * used / len(walls),
        worst_ms=1e3 * max(walls),
        game_s=used / games,
        wall_ms=1e3 * float(np.mean(walls)),
        peak_mb=_peak_kib() / KIBIBYTE,
        mean_shots=len(walls) / games,
    )


def _peak_kib() -> int:
    """Return the most memory that was resident, in KiB.

    Linux carries the parent's peak over into ``getrusage`` of a program that it starts, but not
    into the program's own status.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii"))
        if found:
            return int(found[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _make(name: str) -> Bot:
    module = importlib.import_module(f"bots.{name}")
    made = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Bot)
        and value.__module__ == module.__name__
    ]
    bot: Bot = made[0]()
    return bot


if __name__ == "__main__":
    pace = _measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    sys.stdout.buffer.write(msgspec.json.encode(pace))

"""How long a bot takes for a move, and how much memory.

``python -m benchmarks.games.pace BOT GAMES SEED`` plays in a process of its own, with one thread,
and prints one line of JSON: it is started so by ``measure_pace``, to have memory of its own.
"""

import os
import random
import subprocess
import sys
import time

import msgspec
import numpy as np

from arena.bot import Bot
from arena.player import UNHURRIED, InProcessPlayer, News, Reply
from arena.records import Fixture
from arena.referee import play_game
from arena.rules import Request, Rules, draw_uniform, preset, view
from benchmarks.memory import peak_kib
from salvo.bundled import bot_class

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
    command = [sys.executable, "-m", "benchmarks.games.pace", bot, str(games), str(seed)]
    done = subprocess.run(command, check=True, capture_output=True, env=environment)
    return msgspec.json.decode(done.stdout, type=Pace)


class _Timed(InProcessPlayer):
    """A bot in this process whose answers are timed by wall time."""

    def __init__(self, bot: Bot, rules: Rules) -> None:
        super().__init__(lambda: bot, view(rules))
        self.walls_s: list[float] = []

    def ask(self, request: Request, news: News) -> Reply:
        """Return the bot's answer to a request."""
        reply = super().ask(request, news)
        self.walls_s.append(reply.charge_s)
        return reply


def _measure(name: str, games: int, seed: int) -> Pace:
    rules = preset("classic")
    player = _Timed(bot_class(name)(), rules)
    # Reading the processor time can take as long as a move, so it is read once.
    used = time.process_time()
    for game in range(games):
        layout = draw_uniform(rules, random.Random(f"{seed} {game}"))
        fixture = Fixture("pace", "bot", None, game, (seed + game, 0))
        played = play_game(fixture, rules, UNHURRIED, {"bot": player}, layout=layout)
        assert played.forfeit is None, played.reason
    used = time.process_time() - used
    walls = player.walls_s
    return Pace(
        games=games,
        mean_ms=1e3 * used / len(walls),
        worst_ms=1e3 * max(walls),
        game_s=used / games,
        wall_ms=1e3 * float(np.mean(walls)),
        peak_mb=peak_kib() / KIBIBYTE,
        mean_shots=len(walls) / games,
    )


if __name__ == "__main__":
    pace = _measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    sys.stdout.buffer.write(msgspec.json.encode(pace))

"""Measures how long a bundled bot takes for a move of the classic game, and how much memory.

``python -m benchmarks.costs.pace BOT GAMES SEED`` plays in a process of its own and prints one line
of JSON; ``measure_pace`` starts it, so that the memory is that of one bot.
"""

import random
import sys
import time

import msgspec
import numpy as np

from arena.bot import Bot
from arena.player import UNHURRIED, InProcessPlayer, News, Reply
from arena.records import Fixture
from arena.referee import play_game
from arena.rules import Request, Rules, draw_uniform, preset, view
from benchmarks.costs.own_process import answer, answer_of, peak_mb
from salvo.bundled import bot_class


class Pace(msgspec.Struct, frozen=True):
    """The mean processor time of a move, the arena's part included; wall times; and memory."""

    mean_ms: float
    worst_ms: float
    wall_ms: float
    peak_mb: float


def measure_pace(bot: str, games: int, seed: int) -> Pace:
    """Return what a bundled bot costs in the classic game, alone in a process."""
    return answer_of("benchmarks.costs.pace", bot, games, seed, of=Pace)


class _Timed(InProcessPlayer):
    """A bot in this process whose answers are timed by wall time."""

    def __init__(self, bot: Bot, rules: Rules) -> None:
        super().__init__(lambda: bot, view(rules))
        self.walls_s: list[float] = []

    def ask(self, request: Request, news: News) -> Reply:
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
        mean_ms=1e3 * used / len(walls),
        worst_ms=1e3 * max(walls),
        wall_ms=1e3 * float(np.mean(walls)),
        peak_mb=peak_mb(),
    )


if __name__ == "__main__":
    answer(_measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))

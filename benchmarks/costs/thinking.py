"""Plays games with a bundled bot in this process, and prints how long it thinks.

``python -P thinking.py`` plays a game for each line on stdin, ``RULES BOT SEED``, and answers with
a line of JSON. `python -m benchmarks moves` runs it with the interpreter of each installation that
it compares, so it imports little, and of that what changes least.
"""

import json
import sys
import time
from collections.abc import Sequence

from arena.bot import Bot
from arena.records import ShootStep
from arena.referee import play_bots
from arena.rules.presets import preset
from salvo.bundled import bot_class


class _Clock:
    """The processor time that a bot takes for its shots, and how many moves these are."""

    def __init__(self, bot: Bot) -> None:
        self.moves = self.used_ns = 0
        self._choose = bot.choose_shots
        bot.choose_shots = self._timed  # type: ignore[method-assign]

    def _timed(self, count: int) -> Sequence[int]:
        began_ns = time.process_time_ns()
        cells = self._choose(count)
        self.used_ns += time.process_time_ns() - began_ns
        self.moves += 1
        return cells


def _play(rules: str, name: str, seed: int) -> dict[str, object]:
    """Play a game alone; return the moves, their nanoseconds, and all shots."""
    bot = bot_class(name)()
    clock = _Clock(bot)
    game = play_bots([bot], preset(rules), seeds=(seed, seed + 1))
    assert not game.forfeit, game.reason
    shots = [step.cells for step in game.steps if isinstance(step, ShootStep)]
    return {"moves": clock.moves, "used_ns": clock.used_ns, "shots": shots}


if __name__ == "__main__":
    for line in sys.stdin:
        rules, name, seed = line.split()
        sys.stdout.write(json.dumps(_play(rules, name, int(seed))) + "\n")
        sys.stdout.flush()

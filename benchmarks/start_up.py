"""Measures how long bots take to their first answer, and commands to print."""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

from arena.entrants import parse_entrant
from arena.isolation import Level
from arena.records import Settings
from arena.rules import preset
from arena.tournament import introduce
from benchmarks.costs.commands import command_lines
from benchmarks.lines import outcome_line
from salvo.bundled import bundled_bots


def start_up(starts: int, bot: str) -> Iterator[str]:
    """Measure the start of a bot, at each level of isolation that holds here, and of commands.

    The starts of all kinds are interleaved, so that a busy moment affects all of them alike. Of
    commands the processor time is measured, which no busy moment changes much.

    Args:
        starts: How many starts of each kind; commands are run a tenth as often.
        bot: A bundled bot.

    Yields:
        A line for each kind of start and for each command, and the outcome.
    """
    program = parse_entrant(bot, bundled_bots()).program
    rules = preset("salvo")
    kinds = {"bare interpreter": _start_bare} | {
        level.value: lambda level=level: introduce(program, rules, Settings(), level)
        for level in Level
    }
    times_ms: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(starts):
        for kind, begin in kinds.items():
            started = time.perf_counter()
            begin()
            times_ms[kind].append((time.perf_counter() - started) * 1000)
    medians = {kind: statistics.median(values) for kind, values in times_ms.items()}
    bare = medians["bare interpreter"]
    for kind, median in medians.items():
        fastest = statistics.quantiles(times_ms[kind], n=10)[0]
        yield (
            f"{kind:17} median {median:6.1f} ms   p10 {fastest:6.1f} ms   over none "
            f"{median - medians['none']:+6.1f} ms"
        )
    commands_s: dict[str, float] = {}
    yield from command_lines(-(-starts // 10), commands_s)
    outcome = {
        "benchmark": "start-up",
        "ratio": round(medians["none"] / bare, 3),
        "median_ms": {kind: round(median, 1) for kind, median in medians.items()},
        "command_s": commands_s,
    }
    yield outcome_line(outcome)


def _start_bare() -> None:
    """Start an interpreter that answers one line and exits."""
    subprocess.run([sys.executable, "-P", "-c", "print(1)"], check=True, capture_output=True)

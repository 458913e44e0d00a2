"""Measures the start of a bot, at each level of isolation that holds here, and of commands.

The starts of all kinds are interleaved, so that a busy moment affects all of them alike. Of
commands the processor time is measured, which no busy moment changes much.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from arena.entrants import parse_entrant
from arena.isolation import Level
from arena.records import Settings as Terms
from arena.rules import preset
from arena.tournament import connect, introduce
from benchmarks.costs.processor import used_s
from benchmarks.lines import outcome_line
from benchmarks.options import option
from salvo.bundled import bundled_bots

TARGETS_S = {"--help": 0.3, "tournament --help": 0.5, "bots": 2.0}
"""The processor time that each command may take, in seconds."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    starts: int = option(40, "Starts of each kind; commands run a tenth as often.", least=3)
    bot: str = option("uniform_random", "A bundled bot.")


def run(settings: Settings) -> Iterator[str]:
    """Yield a line for each kind of start and for each command, and the outcome."""
    program = parse_entrant(settings.bot, bundled_bots()).program
    rules = preset("salvo")
    kinds = {"bare interpreter": _start_bare} | {
        level.value: lambda level=level: introduce(connect(program, rules, Terms(), level))
        for level in Level
    }
    times_ms: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(settings.starts):
        for kind, begin in kinds.items():
            started = time.perf_counter()
            begin()
            times_ms[kind].append((time.perf_counter() - started) * 1000)
    medians = {kind: statistics.median(values) for kind, values in times_ms.items()}
    for kind, median in medians.items():
        fastest = statistics.quantiles(times_ms[kind], n=10)[0]
        yield (
            f"{kind:17} median {median:6.1f} ms   p10 {fastest:6.1f} ms   over none "
            f"{median - medians['none']:+6.1f} ms"
        )
    commands_s: dict[str, float] = {}
    yield from command_lines(-(-settings.starts // 10), commands_s)
    yield outcome_line(
        "start-up",
        ratio=round(medians["none"] / medians["bare interpreter"], 3),
        median_ms={kind: round(median, 1) for kind, median in medians.items()},
        command_s=commands_s,
    )


def _start_bare() -> None:
    subprocess.run([sys.executable, "-P", "-c", "print(1)"], check=True, capture_output=True)


def command_lines(runs: int, found: dict[str, float]) -> Iterator[str]:
    """Yield a line for each command of ``TARGETS_S``, run in turn some times.

    ``found`` is filled with the median processor time of each, in seconds.
    """
    times_s: dict[str, list[float]] = {words: [] for words in TARGETS_S}
    for _ in range(runs):
        for words, values in times_s.items():
            values.append(_command_s(words))
    for words, target_s in TARGETS_S.items():
        found[words] = round(statistics.median(times_s[words]), 3)
        yield (
            f"salvo {words:17} {found[words]:5.2f} s of processor time   target {target_s:g} s: "
            f"{'met' if found[words] <= target_s else 'not met'}"
        )


def _command_s(words: str) -> float:
    before = used_s()
    subprocess.run([sys.executable, "-m", "salvo", *words.split()], check=True, capture_output=True)
    return used_s() - before

"""How much processor time commands take that should come at once."""

import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator

TARGETS_S = {"--help": 0.3, "tournament --help": 0.5, "bots": 2.0}
"""The processor time that each command may take, in seconds."""


def command_s(words: str) -> float:
    """Return the processor time of a run of `salvo`, its bots included, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "salvo", *words.split()], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def command_lines(runs: int, found: dict[str, float]) -> Iterator[str]:
    """Measure each command of ``TARGETS_S``.

    Args:
        runs: How often each is run, in turn.
        found: Filled with the median of each, in seconds.

    Yields:
        A line for each.
    """
    times_s: dict[str, list[float]] = {words: [] for words in TARGETS_S}
    for _ in range(runs):
        for words, values in times_s.items():
            values.append(command_s(words))
    for words, target_s in TARGETS_S.items():
        found[words] = round(statistics.median(times_s[words]), 3)
        yield (
            f"salvo {words:17} {found[words]:5.2f} s of processor time   target {target_s:g} s: "
            f"{'met' if found[words] <= target_s else 'not met'}"
        )

"""`salvo bench coverage`: how often the intervals of the Elo leaderboard hold the truth."""

from collections.abc import Iterator

from leaderboards.coverage import coverage_of_intervals
from salvo.bench.lines import outcome_line
from salvo.reports.formats import format_table

__all__ = ["coverage"]

NOMINAL = 0.95


def coverage(simulations: int, seed: int) -> Iterator[str]:
    """Simulate tournaments of known strengths, and count how often the 95% intervals hold them.

    Args:
        simulations: Tournaments simulated in each setting.
        seed: What they derive from.

    Yields:
        The table, and the outcome.
    """
    table = coverage_of_intervals(simulations, seed)
    shown = table.copy()
    for column in shown.select_dtypes("float"):
        shown[column] = shown[column].map("{:.3f}".format)
    yield format_table(shown)
    least = float(table["coverage"].min())
    outcome = {
        "benchmark": "coverage",
        "ratio": round(least / NOMINAL, 3),
        "least": round(least, 3),
        "nominal": NOMINAL,
        "simulations": simulations,
    }
    yield outcome_line(outcome)

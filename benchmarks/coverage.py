"""Measures how often the claims of the Elo leaderboard are true."""

from collections.abc import Iterator

import pandas as pd

from benchmarks.lines import outcome_line
from benchmarks.simulations.coverage import coverage_of_claims
from benchmarks.simulations.sprt_errors import errors_of_tests
from salvo.reports.tables.table_text import format_table

NOMINAL = 0.95


def coverage(simulations: int, seed: int) -> Iterator[str]:
    """Simulate contests of known strengths, and count how often the claims are true.

    Args:
        simulations: Tournaments simulated in each setting.
        seed: The seed of the simulation.

    Yields:
        Coverage by scenario and claim, the errors of sequential tests, and the outcome.
    """
    table = coverage_of_claims(simulations, seed)
    yield format_table(_rounded(table))
    errors = errors_of_tests(simulations, seed)
    yield format_table(_rounded(errors))
    least = float(table["coverage"].min())
    outcome = {
        "benchmark": "coverage",
        "ratio": round(least / NOMINAL, 3),
        "least": round(least, 3),
        "nominal": NOMINAL,
        "largest_error_of_sequential_tests": round(float(errors["wrong"].max()), 3),
        "simulations": simulations,
    }
    yield outcome_line(outcome)


def _rounded(table: pd.DataFrame) -> pd.DataFrame:
    shown = table.copy()
    for column in shown.select_dtypes("float"):
        shown[column] = shown[column].map("{:.3f}".format)
    return shown

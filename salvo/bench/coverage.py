"""`salvo bench coverage`: how often the intervals of the Elo leaderboard hold the truth."""

import click
import msgspec

from leaderboards.coverage import coverage_of_intervals
from salvo.cli.output import print_frame

__all__ = ["coverage"]

NOMINAL = 0.95


@click.command()
@click.option("--simulations", type=click.IntRange(min=10), default=1000, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
def coverage(*, simulations: int, seed: int) -> None:
    """Simulate tournaments of known strengths, and count how often the 95% intervals hold them."""
    table = coverage_of_intervals(simulations, seed)
    shown = table.copy()
    for column in shown.select_dtypes("float"):
        shown[column] = shown[column].map("{:.3f}".format)
    print_frame(shown, "table")
    least = float(table["coverage"].min())
    outcome = {
        "benchmark": "coverage",
        "ratio": round(least / NOMINAL, 3),
        "least": round(least, 3),
        "nominal": NOMINAL,
        "simulations": simulations,
    }
    click.echo(msgspec.json.encode(outcome))

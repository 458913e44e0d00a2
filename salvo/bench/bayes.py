"""`salvo bench bayes`: how strong the Bayesian bots are, their bars, and whether they are met."""

import time

import click
import msgspec
from tabulate import tabulate

from salvo.bench.bayes_bars import PARTS, Extent, Findings
from salvo.bench.strength import strength_table

__all__ = ["bayes"]


@click.command()
@click.option("--layouts", type=click.IntRange(min=20), default=5000, show_default=True)
@click.option("--held-out", type=click.IntRange(min=20), default=10_000, show_default=True)
@click.option("--pairs", type=click.IntRange(min=2), default=1000, show_default=True)
@click.option("--games", type=click.IntRange(min=10), default=1000, show_default=True)
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True)
def bayes(*, layouts: int, held_out: int, pairs: int, games: int, workers: int) -> None:
    """Hold the Bayesian bots to their bars.

    LAYOUTS is how many common layouts are shot at alone (by the slowest bots a fifth of them),
    HELD_OUT how many of another seed, PAIRS how many pairs of games for two are played, and GAMES
    how many games are played for calibration and for speed (a tenth of them by the plain sampler).
    """
    extent = Extent(layouts, held_out, pairs, games, workers)
    findings = Findings()
    for part in PARTS:
        started, before = time.perf_counter(), len(findings.bars)
        part(extent, findings)
        for bar in findings.bars[before:]:
            click.echo(f"{'met' if bar.met else 'MISSED':6}  {bar.what}: {bar.found}", err=True)
        click.echo(f"        ({time.perf_counter() - started:.0f} s)", err=True)
    click.echo(f"{strength_table(findings.solo['classic'], findings.solo['salvo'])}\n")
    table = [(bar.what, bar.wanted, bar.found, bar.verdict) for bar in findings.bars]
    click.echo(tabulate(table, headers=("what", "at least", "found", "met"), tablefmt="github"))
    outcome = {
        "benchmark": "bayes",
        "ratio": round(findings.figures.pop("ratio"), 2),
        "met": sum(bar.met for bar in findings.bars),
        "bars": len(findings.bars),
        **{name: round(value, 4) for name, value in findings.figures.items()},
    }
    click.echo(msgspec.json.encode(outcome))

"""`salvo bench bayes`: the bars of the Bayesian bots, and whether they are met."""

import time
from typing import NamedTuple

import click
import msgspec
from tabulate import tabulate

from arena.cli.bench.abc_sampler import measure_race
from arena.cli.bench.alone import turns_over_every_layout
from arena.cli.bench.calibration import calibrate
from arena.cli.bench.contests import Z, half_width, interval, play_match, play_solo
from arena.cli.bench.pace import measure_pace
from arena.rules import preset
from bots.posterior import board_of
from bots.posterior.opening import count_unhit
from bots.thompson_enumeration import ThompsonEnumeration

__all__ = ["bayes"]

SEED = 2_024
HELD_OUT = 31_337
LAYOUTS = 30_093_975_536
MEAN_SHOTS = 44.9
AIM_SHOTS = 44
SOURCE_SHOTS = 45.89
SOURCE_GAMES = 1000
MOVE_MS = 5
WORST_MS = 100
LOOKAHEAD_MS = 15
PEAK_MB = 256
TIMES_FASTER = 20


class Bar(NamedTuple):
    """One line of the table: what was asked, what was found, and whether that is enough."""

    what: str
    wanted: str
    found: str
    met: bool


class Extent(NamedTuple):
    """How much is played."""

    layouts: int
    held_out: int
    pairs: int
    games: int
    workers: int


@click.command()
@click.option("--layouts", type=click.IntRange(min=20), default=5000, show_default=True)
@click.option("--held-out", type=click.IntRange(min=20), default=10_000, show_default=True)
@click.option("--pairs", type=click.IntRange(min=2), default=1000, show_default=True)
@click.option("--games", type=click.IntRange(min=10), default=1000, show_default=True)
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True)
def bayes(*, layouts: int, held_out: int, pairs: int, games: int, workers: int) -> None:
    """Hold the Bayesian bots to their bars.

    LAYOUTS is how many common layouts are shot at alone, HELD_OUT how many of another seed,
    PAIRS how many pairs of games for two are played, and GAMES how many games are played for
    calibration and for speed (a tenth of them by the plain sampler).
    """
    extent = Extent(layouts, held_out, pairs, games, workers)
    bars: list[Bar] = []
    figures: dict[str, float] = {}
    for part in (
        _exactness,
        _small_games,
        _pace,
        _classic,
        _lookahead,
        _salvo,
        _duel,
        _calibration,
    ):
        started = time.perf_counter()
        for bar in part(extent, figures):
            bars.append(bar)
            click.echo(f"{'met' if bar.met else 'MISSED':6}  {bar.what}: {bar.found}", err=True)
        click.echo(f"        ({time.perf_counter() - started:.0f} s)", err=True)
    table = [(bar.what, bar.wanted, bar.found, "yes" if bar.met else "no") for bar in bars]
    click.echo(tabulate(table, headers=("what", "at least", "found", "met"), tablefmt="github"))
    outcome = {
        "benchmark": "bayes",
        "ratio": round(figures["ratio"], 2),
        "met": sum(bar.met for bar in bars),
        "bars": len(bars),
        **{name: round(value, 4) for name, value in figures.items() if name != "ratio"},
    }
    click.echo(msgspec.json.encode(outcome))


def _exactness(extent: Extent, figures: dict[str, float]) -> list[Bar]:
    del extent, figures
    fleet = (5, 4, 3, 3, 2)
    found, counts = count_unhit(board_of(10, 10, fleet), fleet, ())
    shares = f"corner {counts[0] / found:.4f}, centre {counts[44] / found:.4f}"
    return [
        Bar(
            "layouts of the empty board",
            f"{LAYOUTS:,}, 0.0800, 0.2136",
            f"{found:,}, {shares}",
            found == LAYOUTS and shares == "corner 0.0800, centre 0.2136",
        )
    ]


def _small_games(extent: Extent, figures: dict[str, float]) -> list[Bar]:
    del extent, figures
    bars = []
    for name, wanted, enough in (
        ("row-10-3", "4.5, the optimum", 4.5),
        ("row-5-3", "3.6667, the optimum", 11 / 3),
        ("square-5-3", "less than 7.4, the search on a grid (optimum 6.9)", 7.3999),
    ):
        turns = turns_over_every_layout(ThompsonEnumeration(), preset(name))
        mean = sum(number * times for number, times in turns.items()) / turns.total()
        found = f"{mean:.4f} over {turns.total()} layouts"
        bars.append(Bar(f"thompson_enumeration, {name}", wanted, found, mean <= enough + 1e-9))
    return bars


def _pace(extent: Extent, figures: dict[str, float]) -> list[Bar]:
    own = measure_pace("posterior_greedy", extent.games // 2, SEED)
    ahead = measure_pace("lookahead", extent.games // 5, SEED)
    games = max(extent.games // 10, 2)
    plain = measure_race(games, SEED, "float64")
    small = measure_race(games, SEED, "uint8")
    times = plain.plain_s / plain.bot_s
    figures["ratio"] = times
    figures["move_ms"] = own.mean_ms
    figures["peak_mb"] = own.peak_mb
    return [
        Bar(
            "posterior_greedy, time of a move, mean",
            "5 ms (aim 2 ms)",
            f"{own.mean_ms:.2f} ms of a processor, {own.wall_ms:.2f} ms of the clock",
            own.mean_ms <= MOVE_MS,
        ),
        Bar(
            "posterior_greedy, worst move",
            "100 ms",
            f"{own.worst_ms:.0f} ms of the clock",
            own.worst_ms < WORST_MS,
        ),
        Bar("memory of one bot", "256 MB", f"{own.peak_mb:.0f} MB", own.peak_mb <= PEAK_MB),
        Bar(
            "lookahead, time of a move, mean",
            "15 ms",
            f"{ahead.mean_ms:.2f} ms of a processor",
            ahead.mean_ms <= LOOKAHEAD_MS,
        ),
        Bar(
            "games a second, to the plain sampler's",
            "20 times, at a lower mean",
            f"{times:.1f} times ({1 / plain.bot_s:.1f} to {1 / plain.plain_s:.2f}), "
            f"{interval(plain.bot_shots)} to {interval(plain.plain_shots)} shots",
            times >= TIMES_FASTER and sum(plain.bot_shots) < sum(plain.plain_shots),
        ),
        Bar(
            "the same, if the plain sampler has one byte a cell",
            "(no bar)",
            f"{small.plain_s / small.bot_s:.1f} times",
            met=True,
        ),
    ]


def _classic(extent: Extent, figures: dict[str, float]) -> list[Bar]:
    bots = ("posterior_greedy", "thompson", "monte_carlo", "brute_force", "probability_density")
    turns = play_solo(bots, preset("classic"), extent.layouts, SEED, extent.workers)
    figures["posterior_greedy"] = float(turns["posterior_greedy"].mean())
    thompson = turns["thompson"]
    source_half = Z * float(thompson.std()) / SOURCE_GAMES**0.5
    return [
        Bar(
            "posterior_greedy, classic, shots",
            "44.9",
            interval(turns["posterior_greedy"]),
            float(turns["posterior_greedy"].mean()) <= MEAN_SHOTS,
        ),
        Bar(
            "thompson, classic, shots",
            "45.89 within the interval, its own and the source's",
            interval(thompson),
            abs(float(thompson.mean()) - SOURCE_SHOTS) <= half_width(thompson) + source_half,
        ),
        Bar(
            "monte_carlo, classic, shots",
            "45.89",
            interval(turns["monte_carlo"]),
            float(turns["monte_carlo"].mean()) <= SOURCE_SHOTS,
        ),
        Bar(
            "brute_force against probability_density, classic, paired",
            "(no bar)",
            interval(turns["brute_force"] - turns["probability_density"]),
            met=True,
        ),
    ]


def _lookahead(extent: Extent, figures: dict[str, float]) -> list[Bar]:
    bots = ("posterior_greedy", "lookahead")
    turns = play_solo(bots, preset("classic"), extent.held_out, HELD_OUT, extent.workers)
    gain = turns["lookahead"] - turns["posterior_greedy"]
    figures["lookahead"] = float(turns["lookahead"].mean())
    return [
        Bar(
            "lookahead less posterior_greedy, held-out layouts, paired",
            "interval below 0",
            interval(gain),
            float(gain.mean()) + half_width(gain) < 0,
        ),
        Bar(
            "lookahead, held-out layouts, shots",
            "aim: interval below 44",
            interval(turns["lookahead"]),
            float(turns["lookahead"].mean()) + half_width(turns["lookahead"]) < AIM_SHOTS,
        ),
    ]


def _salvo(extent: Extent, figures: dict[str, float]) -> list[Bar]:
    del figures
    bots = [
        "set=posterior_greedy",
        "marginals=posterior_greedy --salvo marginals",
        "sequence=posterior_greedy --salvo sequence",
    ]
    turns = play_solo(bots, preset("salvo"), extent.layouts, SEED, extent.workers)
    bars = []
    for other in ("marginals", "sequence"):
        gain = turns["set"] - turns[other]
        bars.append(
            Bar(
                f"salvo alone, best set ({turns['set'].mean():.2f} turns) less {other}, paired",
                "interval below 0",
                interval(gain),
                float(gain.mean()) + half_width(gain) < 0,
            )
        )
    return bars


def _duel(extent: Extent, figures: dict[str, float]) -> list[Bar]:
    bars = []
    for name, other in (
        ("probability_density", "probability_density"),
        ("itself by marginals", "marginals=posterior_greedy --salvo marginals"),
        ("itself in sequence", "sequence=posterior_greedy --salvo sequence"),
    ):
        gap, low = play_match("posterior_greedy", other, extent.pairs, extent.workers)
        if name == other:
            figures["elo"] = gap
        bars.append(
            Bar(
                f"posterior_greedy against {name}, salvo, Elo",
                "interval above 0",
                f"{gap:+.0f}, above {low:+.0f}",
                low > 0,
            )
        )
    return bars


def _calibration(extent: Extent, figures: dict[str, float]) -> list[Bar]:
    del figures
    bins = calibrate(preset("classic"), extent.games, SEED)
    return [
        Bar(
            f"of {found.cells:,} cells told {found.told:.4f} there were hit",
            f"{found.told:.4f} within",
            f"{found.hit:.4f} ± {found.half:.4f}",
            found.holds,
        )
        for found in bins
    ]

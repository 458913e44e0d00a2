"""The targets of the Bayesian bots, part by part: what is required, and what was measured."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.rules import preset
from benchmarks.compared.abc_sampler import measure_race
from benchmarks.compared.targets import Target
from benchmarks.games.alone import turns_over_every_layout
from benchmarks.games.calibration import calibrate
from benchmarks.games.common_layouts import SALVOS, Strength, Turns, play_common_layouts
from benchmarks.games.contests import play_match, play_solo
from benchmarks.games.estimates import estimate
from benchmarks.games.pace import measure_pace
from bots.tactics.posterior.board_placements import board_of
from bots.tactics.posterior.opening_table import count_unhit
from bots.thompson_enumeration import ThompsonEnumeration
from leaderboards.turns.means import half_width
from salvo.reports.work_progress import Progress, no_progress

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


class Extent(NamedTuple):
    """How much is played.

    Attributes:
        layouts: Common layouts for solo games; the slowest bots play a fifth of them.
        held_out: Layouts of another seed.
        pairs: Pairs of games for two.
        games: Games for calibration and for speed; a tenth of them by the plain sampler.
        workers: How many worker processes.
        progress: Follows what is played.
    """

    layouts: int
    held_out: int
    pairs: int
    games: int
    workers: int
    progress: Progress = no_progress


@dataclass
class Findings:
    """What was found so far.

    Attributes:
        targets: The lines of the table.
        numbers: Numbers for the line of JSON, by name.
        solo: What the bots need on common layouts, by rule set.
    """

    targets: list[Target] = field(default_factory=list)
    numbers: dict[str, float] = field(default_factory=dict)
    solo: dict[str, Strength] = field(default_factory=dict)

    def add(self, what: str, wanted: str, found: str, *, met: bool = True) -> None:
        """Add a line to the table."""
        self.targets.append(Target(what, wanted, found, met))


def _exactness(_extent: Extent, findings: Findings) -> None:
    fleet = (5, 4, 3, 3, 2)
    found, counts = count_unhit(board_of(10, 10, fleet), fleet, ())
    shares = f"corner {counts[0] / found:.4f}, centre {counts[44] / found:.4f}"
    wanted = f"{LAYOUTS:,}, corner 0.0800, centre 0.2136"
    told = f"{found:,}, {shares}"
    findings.add("layouts of the empty board", wanted, told, met=told == wanted)


def _small_games(_extent: Extent, findings: Findings) -> None:
    for name, wanted, enough in (
        ("row-10-3", "4.5, the optimum", 4.5),
        ("row-5-3", "3.6667, the optimum", 11 / 3),
        ("square-5-3", "less than 7.4, the search on a grid (optimum 6.9)", 7.3999),
    ):
        turns = turns_over_every_layout(ThompsonEnumeration(), preset(name))
        mean = sum(number * times for number, times in turns.items()) / turns.total()
        found = f"{mean:.4f} over {turns.total()} layouts"
        findings.add(f"thompson_enumeration, {name}", wanted, found, met=mean <= enough + 1e-9)


def _pace(extent: Extent, findings: Findings) -> None:
    own = measure_pace("posterior_greedy", extent.games // 2, SEED)
    findings.numbers |= {"move_ms": own.mean_ms, "peak_mb": own.peak_mb}
    findings.add(
        "posterior_greedy, time of a move, mean",
        f"{MOVE_MS} ms (aim 2 ms)",
        f"{own.mean_ms:.2f} ms of processor time, {own.wall_ms:.2f} ms of wall time",
        met=own.mean_ms <= MOVE_MS,
    )
    findings.add(
        "posterior_greedy, worst move",
        f"{WORST_MS} ms",
        f"{own.worst_ms:.0f} ms of wall time",
        met=own.worst_ms < WORST_MS,
    )
    findings.add(
        "memory of one bot", f"{PEAK_MB} MB", f"{own.peak_mb:.0f} MB", met=own.peak_mb <= PEAK_MB
    )
    ahead = measure_pace("posterior_parity", extent.games // 5, SEED)
    findings.add(
        "posterior_parity, time of a move, mean",
        f"{LOOKAHEAD_MS} ms",
        f"{ahead.mean_ms:.2f} ms of processor time",
        met=ahead.mean_ms <= LOOKAHEAD_MS,
    )
    _race(max(extent.games // 10, 2), findings)


def _race(games: int, findings: Findings) -> None:
    """Race the bot against the plain sampler."""
    plain = measure_race(games, SEED, "float64")
    small = measure_race(games, SEED, "uint8")
    times = plain.plain_s / plain.bot_s
    findings.numbers["ratio"] = times
    findings.add(
        "games a second, to the plain sampler's",
        f"{TIMES_FASTER} times, at a lower mean",
        f"{times:.1f} times ({1 / plain.bot_s:.1f} to {1 / plain.plain_s:.2f}), "
        f"{estimate(plain.bot_shots)} to {estimate(plain.plain_shots)} shots",
        met=times >= TIMES_FASTER and sum(plain.bot_shots) < sum(plain.plain_shots),
    )
    findings.add(
        "the same, if the plain sampler has one byte a cell",
        "",
        f"{small.plain_s / small.bot_s:.1f} times",
    )


def _classic(extent: Extent, findings: Findings) -> None:
    played = play_common_layouts(
        "classic", extent.layouts, SEED, extent.workers, progress=extent.progress
    )
    findings.solo["classic"] = played
    turns = played.turns
    greedy, thompson, monte_carlo = (
        turns[bot] for bot in ("posterior_greedy", "thompson", "monte_carlo")
    )
    findings.numbers["posterior_greedy"] = float(greedy.mean())
    findings.add(
        "posterior_greedy, classic, shots",
        f"{MEAN_SHOTS}",
        str(estimate(greedy)),
        met=float(greedy.mean()) <= MEAN_SHOTS,
    )
    _compare(turns, "common layouts", findings)
    _compare(played.adjusted, "common layouts, adjusted for luck", findings)
    shots = estimate(thompson)
    source_half = half_width(shots.deviation, SOURCE_GAMES)
    findings.add(
        "thompson, classic, shots",
        f"{SOURCE_SHOTS} within the interval, its own and the source's",
        str(shots),
        met=abs(shots.value - SOURCE_SHOTS) <= shots.half + source_half,
    )
    findings.add(
        "monte_carlo, classic, shots",
        f"{SOURCE_SHOTS}",
        str(estimate(monte_carlo)),
        met=float(monte_carlo.mean()) <= SOURCE_SHOTS,
    )
    findings.add(
        "brute_force against probability_density, classic, paired",
        "",
        str(estimate(turns["brute_force"] - turns["probability_density"])),
    )


def _posterior_parity(extent: Extent, findings: Findings) -> None:
    bots = ("posterior_greedy", "posterior_parity")
    turns = play_solo(
        bots, preset("classic"), extent.held_out, HELD_OUT, extent.workers, progress=extent.progress
    )
    _compare(turns, "held-out layouts", findings)
    ahead = turns["posterior_parity"]
    findings.numbers["posterior_parity"] = float(ahead.mean())
    findings.add(
        "posterior_parity, held-out layouts, shots",
        f"aim: interval below {AIM_SHOTS}",
        str(estimate(ahead)),
        met=estimate(ahead).high < AIM_SHOTS,
    )


def _compare(turns: Turns, layouts: str, findings: Findings) -> None:
    gain = turns["posterior_parity"] - turns["posterior_greedy"]
    findings.add(
        f"posterior_parity less posterior_greedy, {layouts}, paired",
        "interval below 0",
        str(estimate(gain)),
        met=estimate(gain).high < 0,
    )


def _salvo(extent: Extent, findings: Findings) -> None:
    played = play_common_layouts(
        "salvo", extent.layouts, SEED, extent.workers, progress=extent.progress
    )
    findings.solo["salvo"] = played
    turns = played.turns
    best = turns["posterior_greedy"]
    for other in SALVOS:
        gain = best - turns[other]
        findings.add(
            f"salvo alone, best set ({best.mean():.2f} turns) less {other} "
            f"({turns[other].mean():.2f}), paired",
            "interval below 0",
            str(estimate(gain)),
            met=estimate(gain).high < 0,
        )


def _duel(extent: Extent, findings: Findings) -> None:
    for name, other in (
        ("probability_density", "probability_density"),
        *((f"itself by {salvo}", f"{salvo}=posterior_greedy --salvo {salvo}") for salvo in SALVOS),
    ):
        gap, low = play_match("posterior_greedy", other, extent.pairs, extent.workers)
        findings.numbers.setdefault("elo", gap)
        findings.add(
            f"posterior_greedy against {name}, salvo, Elo",
            "interval above 0",
            f"{gap:+.0f}, above {low:+.0f}",
            met=low > 0,
        )


def _calibration(extent: Extent, findings: Findings) -> None:
    for found in calibrate(preset("classic"), extent.games, SEED):
        findings.add(
            f"share hit of {found.cells:,} cells given probability {found.told:.4f}",
            f"{found.told:.4f} within",
            f"{found.hit:.4f} ± {found.half:.4f}",
            met=found.holds,
        )


Part = Callable[[Extent, Findings], None]
PARTS: tuple[Part, ...] = (
    _exactness,
    _small_games,
    _pace,
    _classic,
    _posterior_parity,
    _salvo,
    _duel,
    _calibration,
)

"""Checks the Bayesian bots against their targets of strength and speed."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from arena.rules import preset
from benchmarks.costs.pace import measure_pace
from benchmarks.games.estimates import PerLayout, adjusted_mean, estimate
from benchmarks.games.matches import lead
from benchmarks.games.solo_games import SoloGames, Strength, turns_over_every_layout
from benchmarks.lines import Findings, Note, markdown, outcome_line, target_table
from benchmarks.options import option, workers
from bots.tactics.posterior.board_placements import board_of
from bots.tactics.posterior.opening_table import count_unhit
from bots.thompson_enumeration import ThompsonEnumeration
from leaderboards.turns.means import half_width

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

SALVOS = ("marginals", "sequence")
"""Other ways of ``posterior_greedy`` to choose a salvo, to compare with."""

_BASELINES = ("probability_density", "hunt_parity", "hunt_target", "uniform_random")
_BOTS = {
    "classic": (
        ("value_search", "posterior_parity", "posterior_greedy", "brute_force", *_BASELINES),
        ("monte_carlo", "thompson"),
    ),
    "salvo": (
        ("posterior_greedy", *(f"{s}=posterior_greedy --salvo {s}" for s in SALVOS), *_BASELINES),
        ("value_search", "posterior_parity", "monte_carlo", "brute_force", "thompson"),
    ),
}
"""For each rule set those that play every layout, and those that play the first of them."""

SHARE = 5
"""Bots that take long or have no target play one layout in this many."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    layouts: int = option(5000, "Common layouts; the slowest bots play a fifth.", least=4)
    held_out: int = option(10_000, "Layouts of another seed.", least=4)
    pairs: int = option(1000, "Pairs of games for two.", least=2)
    games: int = option(1000, "Games by which the time of a move is measured.", least=10)
    workers: int = workers()


@dataclass
class _Findings(Findings):
    """The results so far, with the strengths of the bots by rule set."""

    solo: dict[str, Strength] = field(default_factory=dict)


def run(settings: Settings) -> Iterator[str]:
    """Yield each target as it is checked, the tables of strengths and targets, and the outcome."""
    findings = _Findings()
    for part in (_exactness, _small_games, _pace, _classic, _posterior_parity, _salvo, _duel):
        started, before = time.perf_counter(), len(findings.targets)
        part(settings, findings)
        for target in findings.targets[before:]:
            yield Note(f"{'met' if target.met else 'MISSED':6}  {target.what}: {target.found}")
        yield Note(f"        ({time.perf_counter() - started:.0f} s)")
    yield f"{_strength_table(findings.solo['classic'], findings.solo['salvo'])}\n"
    yield target_table(findings.targets)
    yield outcome_line(
        "bayes",
        ratio=round(findings.numbers["move_ms"] / MOVE_MS, 3),
        **findings.counts(),
        **{name: round(value, 4) for name, value in findings.numbers.items()},
    )


def _exactness(_settings: Settings, findings: _Findings) -> None:
    fleet = (5, 4, 3, 3, 2)
    layouts, counts = count_unhit(board_of(10, 10, fleet), fleet, ())
    wanted = f"{LAYOUTS:,}, corner 0.0800, centre 0.2136"
    found = f"{layouts:,}, corner {counts[0] / layouts:.4f}, centre {counts[44] / layouts:.4f}"
    findings.add("layouts of the empty board", wanted, found, met=found == wanted)


def _small_games(_settings: Settings, findings: _Findings) -> None:
    for name, wanted, enough in (
        ("row-10-3", "4.5, the optimum", 4.5),
        ("row-5-3", "3.6667, the optimum", 11 / 3),
        ("square-5-3", "less than 7.4, the search on a grid (optimum 6.9)", 7.3999),
    ):
        turns = turns_over_every_layout(ThompsonEnumeration(), preset(name))
        mean = sum(number * times for number, times in turns.items()) / turns.total()
        found = f"{mean:.4f} over {turns.total()} layouts"
        findings.add(f"thompson_enumeration, {name}", wanted, found, met=mean <= enough + 1e-9)


def _pace(settings: Settings, findings: _Findings) -> None:
    own = measure_pace("posterior_greedy", settings.games // 2, SEED)
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
    ahead = measure_pace("posterior_parity", settings.games // 5, SEED)
    findings.add(
        "posterior_parity, time of a move, mean",
        f"{LOOKAHEAD_MS} ms",
        f"{ahead.mean_ms:.2f} ms of processor time",
        met=ahead.mean_ms <= LOOKAHEAD_MS,
    )


def _common_layouts(rules: str, settings: Settings) -> Strength:
    strength = Strength({}, {})
    every, first = _BOTS[rules]
    for bots, number in ((every, settings.layouts), (first, max(settings.layouts // SHARE, 2))):
        found = SoloGames(bots, preset(rules), number, SEED, settings.workers).strength()
        strength.turns.update(found.turns)
        strength.adjusted.update(found.adjusted)
    return strength


def _classic(settings: Settings, findings: _Findings) -> None:
    played = findings.solo["classic"] = _common_layouts("classic", settings)
    turns = {bot: estimate(values) for bot, values in played.turns.items()}
    greedy, thompson = turns["posterior_greedy"], turns["thompson"]
    findings.numbers["posterior_greedy"] = greedy.value
    findings.add(
        "posterior_greedy, classic, shots", MEAN_SHOTS, greedy, met=greedy.value <= MEAN_SHOTS
    )
    _compare(played.turns, "common layouts", findings)
    _compare(played.adjusted, "common layouts, adjusted for luck", findings)
    findings.add(
        "thompson, classic, shots",
        f"{SOURCE_SHOTS} within the interval, its own and the source's",
        thompson,
        met=abs(thompson.value - SOURCE_SHOTS)
        <= thompson.half + half_width(thompson.deviation, SOURCE_GAMES),
    )
    findings.add(
        "monte_carlo, classic, shots",
        SOURCE_SHOTS,
        turns["monte_carlo"],
        met=turns["monte_carlo"].value <= SOURCE_SHOTS,
    )
    findings.add(
        "brute_force against probability_density, classic, paired",
        "",
        estimate(played.turns["brute_force"] - played.turns["probability_density"]),
    )


def _posterior_parity(settings: Settings, findings: _Findings) -> None:
    bots = ("posterior_greedy", "posterior_parity")
    rules = preset("classic")
    turns = SoloGames(bots, rules, settings.held_out, HELD_OUT, settings.workers).turns()
    _compare(turns, "held-out layouts", findings)
    ahead = estimate(turns["posterior_parity"])
    findings.numbers["posterior_parity"] = ahead.value
    findings.add(
        "posterior_parity, held-out layouts, shots",
        f"aim: interval below {AIM_SHOTS}",
        ahead,
        met=ahead.high < AIM_SHOTS,
    )


def _compare(turns: Mapping[str, PerLayout], layouts: str, findings: _Findings) -> None:
    gain = estimate(turns["posterior_parity"] - turns["posterior_greedy"])
    what = f"posterior_parity less posterior_greedy, {layouts}, paired"
    findings.add(what, "interval below 0", gain, met=gain.high < 0)


def _salvo(settings: Settings, findings: _Findings) -> None:
    played = findings.solo["salvo"] = _common_layouts("salvo", settings)
    best = played.turns["posterior_greedy"]
    for other in SALVOS:
        turns = played.turns[other]
        gain = estimate(best - turns)
        findings.add(
            f"salvo alone, best set ({best.mean():.2f} turns) less {other} "
            f"({turns.mean():.2f}), paired",
            "interval below 0",
            gain,
            met=gain.high < 0,
        )


def _duel(settings: Settings, findings: _Findings) -> None:
    for name, other in (
        ("probability_density", "probability_density"),
        *((f"itself by {salvo}", f"{salvo}=posterior_greedy --salvo {salvo}") for salvo in SALVOS),
    ):
        gap, low = lead("posterior_greedy", other, settings.pairs, settings.workers)
        findings.numbers.setdefault("elo", gap)
        what, found = (
            f"posterior_greedy against {name}, salvo, Elo",
            f"{gap:+.0f}, above {low:+.0f}",
        )
        findings.add(what, "interval above 0", found, met=low > 0)


def _strength_table(classic: Strength, salvo: Strength) -> str:
    """Return the table of what bots need to sink the fleet, the best in the classic game first."""
    rows = []
    for bot in sorted(classic.turns, key=lambda bot: float(classic.turns[bot].mean())):
        row: list[object] = [f"`{bot}`"]
        for solo in (classic, salvo):
            turns = solo.turns[bot]
            row += [estimate(turns), adjusted_mean(solo.adjusted[bot]), len(turns)]
        rows.append(row)
    heads = ("bot", "classic, shots", "adjusted", "layouts", "salvo, turns", "adjusted", "layouts")
    return markdown(rows, heads)

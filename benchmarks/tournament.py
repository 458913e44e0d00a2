"""Measures what a tournament costs the processor, and what of that its starts."""

import sys
from collections.abc import Iterator
from pathlib import Path

from arena.isolation import Level
from arena.records import PAIRS_PER_BLOCK, PAIRS_PER_BLOCK_OF_A_FIELD
from benchmarks.compared.targets import Target, target_table
from benchmarks.costs.installations import python_of
from benchmarks.costs.processor import Amount, Cost, cost_of_start_s, cost_of_tournament
from benchmarks.lines import Note, aligned, outcome_line
from benchmarks.simulations.block_sizes import interval_width_elo
from benchmarks.simulations.coverage import Scenario

FIELD = ("uniform_random", "hunt_target", "hunt_parity", "probability_density")
AIM_AGAINST = 0.5
AIM_TWO_WORKERS = 1.8
_OURS = "this Salvo"
_SIZES = (PAIRS_PER_BLOCK, PAIRS_PER_BLOCK_OF_A_FIELD, 50, 100)
_ELO = (300.0, 200.0, 100.0, -600.0)
"""About what the field is worth, for simulations."""
_LEARNT_ELO = 400.0


def tournament(
    amount: Amount, rounds: int, simulations: int, level: Level, against: Path | None = None
) -> Iterator[str]:
    """Measure the processor time of `salvo tournament` for four heuristics.

    Runs with one worker and with two, and runs of another installation, alternate; of each the
    cheapest counts. Between them each bot is started for its introduction alone, and from that
    follows which share of the run the starts are, with blocks of this and of other sizes. What
    larger blocks do to intervals is simulated.

    Args:
        amount: How much the field plays.
        rounds: How often everything is run.
        simulations: Simulated tournaments for each size of a block.
        level: The level of isolation.
        against: A virtual environment whose Salvo is measured in alternation with this one.

    Yields:
        A table of block sizes, one of targets, and the outcome.

    Raises:
        UserError: If an installation has no interpreter or cannot run the tournament.
    """
    kinds = {"one": (sys.executable, 1), "two": (sys.executable, 2)}
    if against is not None:
        kinds["against"] = (python_of(against), 1)
    found: dict[str, list[Cost]] = {kind: [] for kind in kinds}
    start_s = float("inf")
    for number in range(rounds):
        for kind, (python, workers) in kinds.items():
            found[kind].append(_run(python, workers, amount, level))
        start_s = min(start_s, cost_of_start_s(FIELD, level))
        yield Note(f"round {number + 1} of {rounds}")
    ours, two = (min(found[kind], key=lambda one: one.processor_s) for kind in ("one", "two"))
    yield _table(amount, ours.processor_s, start_s, simulations)
    yield ""
    speedup = min(one.wall_s for one in found["one"]) / min(one.wall_s for one in found["two"])
    share = amount.starts(len(FIELD), PAIRS_PER_BLOCK_OF_A_FIELD) * start_s / ours.processor_s
    possible = two.processor_s / (two.own_s + two.others_s / 2)
    targets = [
        _target("two workers against one, wall time, times", AIM_TWO_WORKERS, speedup, most=False),
        Target(
            "what the parent's share of the processor time allows", "", f"{possible:.2f}", met=True
        ),
    ]
    ratio = None
    if against is not None:
        ratio = ours.processor_s / min(one.processor_s for one in found["against"])
        told = f"processor time, as a share of {against}"
        targets.insert(0, _target(told, AIM_AGAINST, ratio, most=True))
    yield target_table(targets)
    yield outcome_line(
        {
            "benchmark": "tournament",
            "ratio": None if ratio is None else round(ratio, 3),
            "processor_s": round(ours.processor_s, 2),
            "start_ms": round(1000 * start_s, 1),
            "share_of_starts": round(share, 3),
            "two_workers": round(speedup, 2),
            "isolation": level,
        }
    )


def _target(what: str, aim: float, found: float, *, most: bool) -> Target:
    met = found <= aim if most else found >= aim
    return Target(what, f"{aim:g} or {'less' if most else 'more'}", f"{found:.2f}", met)


def _run(python: str, workers: int, amount: Amount, level: Level) -> Cost:
    options = ["--games", str(amount.games), "--layouts", str(amount.layouts)]
    return cost_of_tournament(python, [*FIELD, *options], workers, level)


def _table(amount: Amount, processor_s: float, start_s: float, simulations: int) -> str:
    """Return what blocks of several sizes cost: starts, and precision."""
    besides_s = processor_s - amount.starts(len(FIELD), PAIRS_PER_BLOCK_OF_A_FIELD) * start_s
    pairs = amount.games // 2
    sizes = [size for size in _SIZES if pairs % size == 0] or [PAIRS_PER_BLOCK]
    widths = [
        [
            _width(size, pairs, elo, learnt_elo, simulations)
            for elo in (_ELO, _ELO[:2])
            for learnt_elo in (0.0, _LEARNT_ELO)
        ]
        for size in sizes
    ]
    rows = []
    for size, width in zip(sizes, widths, strict=True):
        starts_s = amount.starts(len(FIELD), size) * start_s
        wider = [f"{one / first:.2f}" for one, first in zip(width, widths[0], strict=True)]
        share = starts_s / (starts_s + besides_s)
        rows.append((f"{size}", f"{amount.starts(len(FIELD), size)}", f"{share:.0%}", *wider))
    heads = ("pairs a block", "starts", "of processor time", "width of intervals")
    return aligned(rows, (*heads, "one bot learns", "match of two", "one learns"))


def _width(
    size: int, pairs: int, elo: tuple[float, ...], learnt_elo: float, simulations: int
) -> float:
    scenario = Scenario("", elo, max(pairs, size), learnt_elo=learnt_elo, block_pairs=size)
    return interval_width_elo(scenario, simulations, 1)

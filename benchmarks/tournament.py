"""Measures the processor time of `salvo tournament` for four heuristics, and of its starts.

Runs with one worker and with two, and runs of another installation, alternate; of each the cheapest
counts. Between them each bot is started for its introduction alone, and from that follows which
share of the run the starts are. A table shows what blocks of other sizes would cost: more starts,
or wider intervals, which are simulated.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.records import PAIRS_PER_BLOCK, PAIRS_PER_BLOCK_OF_A_FIELD
from benchmarks.costs.processor import (
    Amount,
    Cost,
    byte_compile,
    cost_of_start_s,
    cost_of_tournament,
    python_of,
)
from benchmarks.lines import Note, Target, aligned, outcome_line, target_table
from benchmarks.options import against, games_of_two, isolation, option
from benchmarks.simulations.fields import Scenario, interval_width_elo
from salvo.cli.options.run_options import choose_level

FIELD = ("uniform_random", "hunt_target", "hunt_parity", "probability_density")
AIM_AGAINST = 0.5
AIM_TWO_WORKERS = 1.8
_SIZES = (PAIRS_PER_BLOCK, PAIRS_PER_BLOCK_OF_A_FIELD, 50, 100)
_ELO = (300.0, 200.0, 100.0, -600.0)
"""About what the field is worth, for simulations."""
_LEARNT_ELO = 400.0


@dataclass(frozen=True)
class Settings:
    """The options."""

    games: int = games_of_two(200)
    layouts: int = option(500, "Solo games a bot.", least=0)
    rounds: int = option(3, "How often everything is run.")
    simulations: int = option(100, "Simulated tournaments for each size of a block.")
    against: Path | None = against()
    isolation: str = isolation()


def run(settings: Settings) -> Iterator[str]:
    """Yield a table of block sizes, one of targets, and the outcome.

    Raises:
        UserError: If an installation has no interpreter or cannot run the tournament.
    """
    level = choose_level(settings.isolation).level
    amount = Amount(settings.games, settings.layouts)
    kinds = {"one": (sys.executable, 1), "two": (sys.executable, 2)}
    if settings.against is not None:
        kinds["against"] = (python_of(settings.against), 1)
    for python, _ in kinds.values():
        byte_compile(python)
    found: dict[str, list[Cost]] = {kind: [] for kind in kinds}
    start_s = float("inf")
    for number in range(settings.rounds):
        for kind, (python, workers) in kinds.items():
            found[kind].append(cost_of_tournament(python, FIELD, amount, workers, level))
        start_s = min(start_s, cost_of_start_s(FIELD, level))
        yield Note(f"round {number + 1} of {settings.rounds}")
    ours, two = (min(found[kind], key=lambda one: one.processor_s) for kind in ("one", "two"))
    yield _table(amount, ours.processor_s, start_s, settings.simulations)
    yield ""
    speedup = min(one.wall_s for one in found["one"]) / min(one.wall_s for one in found["two"])
    share = amount.starts(len(FIELD), PAIRS_PER_BLOCK_OF_A_FIELD) * start_s / ours.processor_s
    possible = two.processor_s / (two.own_s + two.others_s / 2)
    targets = [
        Target(
            "one worker's wall time, divided by that of two",
            f"{AIM_TWO_WORKERS:g} or more",
            f"{speedup:.2f}",
            speedup >= AIM_TWO_WORKERS,
        ),
        Target("the same, the most that the parent's share allows", "", f"{possible:.2f}"),
    ]
    ratio = None
    if settings.against is not None:
        ratio = ours.processor_s / min(one.processor_s for one in found["against"])
        told = f"processor time, as a share of {settings.against}"
        aim = Target(told, f"{AIM_AGAINST:g} or less", f"{ratio:.2f}", ratio <= AIM_AGAINST)
        targets.insert(0, aim)
    yield target_table(targets)
    yield outcome_line(
        "tournament",
        ratio=None if ratio is None else round(ratio, 3),
        processor_s=round(ours.processor_s, 2),
        start_ms=round(1000 * start_s, 1),
        share_of_starts=round(share, 3),
        two_workers=round(speedup, 2),
        isolation=level,
    )


def _table(amount: Amount, processor_s: float, start_s: float, simulations: int) -> str:
    """Return what blocks of several sizes cost: starts, and precision."""
    besides_s = processor_s - amount.starts(len(FIELD), PAIRS_PER_BLOCK_OF_A_FIELD) * start_s
    pairs = amount.games // 2
    sizes = [size for size in _SIZES if pairs % size == 0] or [PAIRS_PER_BLOCK]
    widths = [
        [
            interval_width_elo(
                Scenario("", elo, max(pairs, size), learnt_elo=learnt_elo, block_pairs=size),
                simulations,
                1,
            )
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
    widths_of = ("four bots", "four, one learns", "two bots", "two, one learns")
    heads = ("pairs a block", "starts", "of processor time")
    return aligned(rows, (*heads, *(f"width: {field}" for field in widths_of)))

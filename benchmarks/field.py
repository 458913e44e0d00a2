"""Times `salvo tournament` as it is run without BOTs, in an empty folder.

The target is two minutes, and that bots' starts take at most a tenth of the processor time. Another
installation plays the same in the same run: its processor time and its games are compared.
"""

import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.records import PAIRS_PER_BLOCK_OF_A_FIELD
from benchmarks.compared.records import compare_records
from benchmarks.costs.processor import (
    Amount,
    Cost,
    byte_compile,
    cost_of_start_s,
    cost_of_tournament,
    python_of,
    takes_option,
)
from benchmarks.lines import Note, Target, outcome_line, target_table
from benchmarks.options import against, games_of_two, isolation, option, workers
from salvo.bundled import default_field
from salvo.cli.options.run_options import choose_level
from salvo.cli.runs.game_counts import DEFAULT_FIELD

AIM_S = 120.0
AIM_STARTS = 0.1
AIM_AGAINST = 0.5
_OURS, _BEFORE = "this", "before"
_COMMON_LAYOUTS = "--common-layouts"
"""Older Salvos draw no other layouts and lack this option: to compare solo games, all use them."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    games: int = games_of_two(DEFAULT_FIELD.games)
    layouts: int = option(DEFAULT_FIELD.layouts, "Solo games a bot.", least=0)
    rounds: int = option(1, "How often each installation plays, in turn; the cheapest counts.")
    workers: int = workers()
    against: Path | None = against()
    isolation: str = isolation()


def run(settings: Settings) -> Iterator[str]:
    """Yield what the command prints, what it cost and how the games compare, and the outcome.

    The share of the processor time that bots need to start follows from the number of starts and
    from what one costs.

    Raises:
        UserError: If a tournament fails, or another installation has no interpreter.
    """
    level = choose_level(settings.isolation).level
    amount = Amount(settings.games, settings.layouts)
    pythons = {_OURS: sys.executable}
    if settings.against is not None:
        pythons[_BEFORE] = python_of(settings.against)
    options: dict[str, list[str]] = {}
    for kind, python in pythons.items():
        byte_compile(python)
        common = settings.against is not None and takes_option(python, _COMMON_LAYOUTS)
        options[kind] = [_COMMON_LAYOUTS] * common
    found: dict[str, list[Cost]] = {kind: [] for kind in pythons}
    with tempfile.TemporaryDirectory() as folder:
        records = {kind: Path(folder, f"{kind}.sqlite3") for kind in pythons}
        for number in range(settings.rounds):
            for kind, python in pythons.items():
                records[kind].unlink(missing_ok=True)
                yield Note(f"round {number + 1} of {settings.rounds}: {python}")
                cost = cost_of_tournament(
                    *(python, (), amount, settings.workers, level),
                    record=records[kind],
                    options=options[kind],
                )
                found[kind].append(cost)
        ours = min(found[_OURS], key=lambda one: one.processor_s)
        yield from ours.printed.splitlines()
        bots = default_field()
        starts = amount.starts(len(bots), PAIRS_PER_BLOCK_OF_A_FIELD)
        starts_s = starts * cost_of_start_s(bots, level)
        share = starts_s / ours.processor_s
        yield (
            f"{starts} starts of bots take {starts_s:.1f} of {ours.processor_s:.0f} seconds of"
            f" processor time, {share:.1%} (aim: at most {AIM_STARTS:.0%})"
        )
        compared: dict[str, object] = {}
        if settings.against is not None:
            yield from _compare(settings.against, found, records, compared)
    yield outcome_line(
        "field",
        ratio=round(ours.wall_s / AIM_S, 3),
        seconds=round(ours.wall_s, 1),
        processor_s=round(ours.processor_s, 1),
        workers=settings.workers,
        share_of_starts=round(share, 3),
        isolation=level,
        **compared,
    )


def _compare(
    venv: Path,
    found: Mapping[str, list[Cost]],
    records: Mapping[str, Path],
    compared: dict[str, object],
) -> Iterator[str]:
    """Yield how the processor time and the games of two installations compare.

    ``compared`` is filled with the numbers.
    """
    ours_s, before_s = (min(one.processor_s for one in found[kind]) for kind in (_OURS, _BEFORE))
    ratio = ours_s / before_s
    differences = compare_records(records[_OURS], records[_BEFORE])
    told = f"processor time, seconds: {ours_s:.1f} of {before_s:.1f} with {venv}, as a share"
    same = f"{differences.games - len(differences.differing):,} of {differences.games:,}"
    yield target_table(
        [
            Target(told, f"{AIM_AGAINST:g} or less", f"{ratio:.3f}", ratio <= AIM_AGAINST),
            Target(
                "games with the same layouts, shots and answers",
                "all",
                same,
                not differences.differing,
            ),
        ]
    )
    yield from differences.lines()
    compared.update(
        before_s=round(before_s, 1),
        share_of_before=round(ratio, 3),
        differing=len(differences.differing),
    )

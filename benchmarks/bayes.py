"""Measures how strong the Bayesian bots are, and whether they meet their targets."""

import time
from collections.abc import Iterator

from benchmarks.compared.bayes_targets import PARTS, Extent, Findings
from benchmarks.compared.targets import target_table
from benchmarks.games.common_layouts import strength_table
from benchmarks.lines import Note, outcome_line


def bayes(extent: Extent) -> Iterator[str]:
    """Check the Bayesian bots against their targets.

    Args:
        extent: How much to play.

    Yields:
        Each target as it is checked, the table of strengths, that of the targets, and the outcome.
    """
    findings = Findings()
    for part in PARTS:
        started, before = time.perf_counter(), len(findings.targets)
        part(extent, findings)
        for target in findings.targets[before:]:
            yield Note(f"{'met' if target.met else 'MISSED':6}  {target.what}: {target.found}")
        yield Note(f"        ({time.perf_counter() - started:.0f} s)")
    yield f"{strength_table(findings.solo['classic'], findings.solo['salvo'])}\n"
    yield target_table(findings.targets)
    outcome = {
        "benchmark": "bayes",
        "ratio": round(findings.numbers.pop("ratio"), 2),
        "met": sum(target.met for target in findings.targets),
        "targets": len(findings.targets),
        **{name: round(value, 4) for name, value in findings.numbers.items()},
    }
    yield outcome_line(outcome)

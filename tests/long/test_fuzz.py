"""A million mutated lines: each a value or a typed refusal, and the naive decoder agrees."""

import json
import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parent / "fuzz_protocol.py"
LINES = 1_000_000
WORKERS = min(4, os.cpu_count() or 1)


def test_no_line_has_another_end_than_a_value_or_a_refusal() -> None:
    share = -(-LINES // WORKERS)
    workers = [
        subprocess.Popen(
            [sys.executable, str(SCRIPT), str(seed), str(share)], stdout=subprocess.PIPE
        )
        for seed in range(WORKERS)
    ]
    reports = [json.loads(worker.communicate()[0]) for worker in workers]
    assert [line for report in reports for line in report["wrong"]] == []
    assert sum(report["lines"] for report in reports) >= LINES
    taken = sum(report["taken"] for report in reports)
    assert taken > LINES // 20, "too few lines are still messages for the test to say anything"

"""The API keeps to its own description, whatever is sent; `tox -e api` has what this needs."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

Served = Any
REQUESTS = 12
"""Of each kind."""

CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_schema_conformance,negative_data_rejection,missing_required_header"
)


@pytest.mark.skipif(find_spec("schemathesis") is None, reason="`tox -e api` installs schemathesis")
def test_answers_are_as_described(served: Served, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "schemathesis.cli", "run"]
    options = ["--phases", "examples,coverage,fuzzing", "--max-examples", str(REQUESTS)]
    ran = subprocess.run(
        [
            *(*command, f"http://{served.host}/api/openapi.json", *options),
            *("--header", f"Authorization: Bearer {served.key}", "--checks", CHECKS),
            *("--seed", "1", "--no-color", "--generation-database", "none"),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert ran.returncode == 0, ran.stdout[-6000:]

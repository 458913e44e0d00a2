"""Compares what people are told with files beside the tests."""

import difflib
import os
from pathlib import Path

import pytest


def compare(told: str, path: Path) -> None:
    """Fail unless a file holds just this text; with ``SALVO_NEW_GOLDEN`` it is written anew."""
    if os.environ.get("SALVO_NEW_GOLDEN"):
        path.write_text(told, encoding="utf-8")
    expected = path.read_text(encoding="utf-8")
    if told != expected:  # pytest's own comparison takes minutes where much differs
        lines = difflib.unified_diff(expected.splitlines(), told.splitlines(), lineterm="")
        pytest.fail("\n".join([f"{path.name} has other text:", *lines]))

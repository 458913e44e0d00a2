import sys
from importlib.util import cache_from_source
from pathlib import Path

import pytest

import bots.tactics
from salvo.bundled import compile_imports


def test_what_bots_share_is_compiled_where_the_installer_did_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled = Path(cache_from_source(bots.tactics.__file__))
    compiled.unlink(missing_ok=True)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    compile_imports()
    assert not compiled.exists()
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    compile_imports()
    assert compiled.is_file()

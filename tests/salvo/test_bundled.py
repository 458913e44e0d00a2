"""The bots that come with Salvo, and what they import compiled where it was not."""

import os
import sys
from collections.abc import Iterator
from importlib.util import cache_from_source
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import bots.tactics
from salvo import bundled
from salvo.bundled import bot_class, bundled_bots, compile_imports, default_field


def test_bots_are_files_or_folders() -> None:
    found = bundled_bots()
    assert list(found) == sorted(found)
    assert (found["hunt_target"].name, found["hunt_target"].is_file()) == ("hunt_target.py", True)
    assert found["deep_salvo"].is_dir()
    assert not {"__init__", "tactics", "training"} & set(found)
    assert {name: bot_class(name).__name__ for name in ("hunt_target", "deep_salvo")} == {
        "hunt_target": "HuntTarget",
        "deep_salvo": "DeepSalvo",
    }
    with pytest.raises(KeyError):
        bot_class("nobody")


def test_what_bots_share_is_compiled_where_the_installer_did_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled = Path(cache_from_source(bots.tactics.__file__))
    compiled.unlink(missing_ok=True)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    compile_imports()
    assert compiled.is_file()


@pytest.fixture
def imported(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return what is imported elsewhere, by process, instead of importing it."""
    found: list[list[str]] = []

    def importing(modules: Iterator[str]) -> Any:  # noqa: ANN401 - what stands in for a process
        found.append(list(modules))
        return SimpleNamespace(wait=lambda: 0)

    monkeypatch.setattr(bundled, "_importing", importing)
    return found


@pytest.mark.parametrize(
    ("no_bytecode", "there", "writable"),
    [(False, False, True), (True, False, True), (False, True, True), (False, False, False)],
)
def test_nothing_is_compiled_where_it_is_already_or_cannot_be_kept(
    imported: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    *,
    no_bytecode: bool,
    there: bool,
    writable: bool,
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", no_bytecode)
    monkeypatch.setattr(Path, "is_file", lambda _: there)
    monkeypatch.setattr(os, "access", lambda *_: writable)
    compile_imports()
    if no_bytecode or there or not writable:
        assert imported == []
        return
    of_bots, report = imported
    assert len(of_bots) == len(default_field())
    assert {"bots.hunt_target", "bots.deep_salvo.bot"} <= set(of_bots)
    assert report == ["salvo.reports.pages.report_page"]

"""Typing the old name of a bundled bot shows the new one."""

import sys
from pathlib import Path

import pytest

from salvo.cli.main import main
from salvo.cli.options.bot_arguments import RENAMED


def mistake(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> str:
    monkeypatch.setattr(sys, "argv", ["salvo", *words])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    [line] = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize(
    "words",
    [
        ("match", "hunt_target", "lookahead"),
        ("match", "lookahead --off-class 0.7", "hunt_target"),
        ("tournament", "mine=lookahead", "hunt_target"),
        ("tournament", "hunt_target", "--gauntlet", "lookahead"),
        ("solo", "lookahead"),
        ("check", "lookahead"),
        ("play", "lookahead"),
        ("submit", "lookahead"),
    ],
    ids=" ".join,
)
def test_old_name_is_answered_by_the_new_one(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    words: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    line = mistake(monkeypatch, capsys, *words)
    assert line == "salvo: bot 'lookahead': it is called 'posterior_parity' now"


def test_file_with_an_old_name_is_that_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "grid_search").mkdir()
    assert "now" not in mistake(monkeypatch, capsys, "solo", "grid_search", "--isolation", "none")


def test_new_names_are_those_of_bundled_bots() -> None:
    folder = Path(__file__).parents[3] / "bots"
    assert all((folder / f"{name}.py").exists() for name in RENAMED.values())
    assert not any((folder / f"{name}.py").exists() for name in RENAMED)

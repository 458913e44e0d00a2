"""``salvo rules`` lists the presets, and prints each so that it can be passed back."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from arena.rules import PRESETS, Rules, Ship, preset, rules_from_toml, rules_to_toml
from salvo.cli.main import main
from salvo.cli.rules import rules as rules_command


def printed(*arguments: str) -> str:
    result = CliRunner().invoke(rules_command, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


@pytest.fixture
def refusal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Return a function that runs ``salvo``, which refuses, and returns the line it says."""

    def run(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["salvo", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        told = capsys.readouterr().err
        assert (end.value.code, told.count("\n")) == (2, 1)
        return told

    return run


def changed(folder: Path, name: str, **lines: str) -> str:
    """Write a preset with some of its lines changed, as a person would."""
    text = printed(name)
    for field, value in lines.items():
        [old] = [
            line for line in text.splitlines() if line.split(" = ")[0] in {field, f"# {field}"}
        ]
        text = text.replace(old, f"{field} = {value}")
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_every_preset_is_listed_with_a_line() -> None:
    lines = printed().splitlines()[2:]
    assert [line.split()[0] for line in lines] == list(PRESETS)
    assert all(len(line.split()) > 3 for line in lines)


@pytest.mark.parametrize("name", PRESETS)
def test_a_printed_preset_can_be_passed_back(name: str, tmp_path: Path) -> None:
    path = tmp_path / "again.toml"
    path.write_text(printed(name), encoding="utf-8")
    assert rules_from_toml(path.read_text(encoding="utf-8"), "again.toml") == preset(name)
    assert printed(str(path)) == printed(name)


@pytest.mark.parametrize("name", PRESETS)
def test_every_field_is_printed_with_its_choices_in_80_columns(name: str) -> None:
    lines = printed(name).splitlines()
    for field in Rules.__struct_fields__:
        [line] = [line for line in lines if line.removeprefix("# ").startswith(f"{field} = ")]
        assert " # " in line
    assert max(map(len, lines)) <= 80


def test_json_is_the_rule_set_itself() -> None:
    assert msgspec.json.decode(printed("afp", "--format", "json"), type=Rules) == preset("afp")
    assert [row["rules"] for row in json.loads(printed("--format", "json"))] == list(PRESETS)


def test_a_file_of_ones_own_is_printed_whole(tmp_path: Path) -> None:
    path = tmp_path / "tiny.toml"
    path.write_text('name="tiny"\nrows=2\ncolumns=2\nfleet=[{name="S",length=2}]', encoding="utf-8")
    assert "again = false " in printed(str(path))
    assert "tiny:" not in printed(str(path))


@pytest.mark.parametrize(
    "name", ['a "quote"', "back\\slash", "tab\there", "naïve \U0001f6a2", "\x7f"]
)
def test_any_name_survives(name: str) -> None:
    rules = Rules(name=name, rows=3, columns=3, fleet=(Ship(name, 2),), shots="by-ship")
    assert rules_from_toml(rules_to_toml(rules), "x") == rules


@pytest.mark.parametrize(
    ("name", "lines", "reason"),
    [
        ("classic", {"moves": "true"}, "moves: ships may move onto cells that were shot"),
        ("paper", {"lies": "2"}, "lies: 2, but cells are not reported"),
        ("silent", {"lies": "2"}, "lies: 2, but sinkings, about which nobody may lie, are silent"),
        ("paper", {"hits_named": "true"}, "hits_named: true, but hits are reported as count"),
        ("lies", {"hits_named": "true"}, "hits_named: true, but with 3 lies"),
        ("unknown", {"hits_named": "true"}, "hits_named: true, but the names of ships hit"),
        ("unnamed", {"sunk_cells": "true"}, "sunk_cells: true, but sinkings are unnamed"),
        ("classic", {"fleet_known": "false"}, "fleet_known: false, but the names of sunk ships"),
        ("classic", {"countdown": "5"}, "countdown: 5, but there is no turn limit"),
        ("afp", {"turn_limit": "10"}, "countdown: 20 of 10 turns"),
        ("classic", {"rows": "1"}, "fleet: no layout"),
        ("classic", {"rows": "65"}, "rows: Expected `int` <= 64, found '65'"),
        ("classic", {"shots": '"many"'}, "found 'many'"),
        ("classic", {"told": '"nothing"'}, "found 'nothing'"),
        ("classic", {"rows": "ten"}, "not TOML"),
    ],
)
def test_a_contradiction_is_refused_in_one_line(
    name: str, lines: dict[str, str], reason: str, tmp_path: Path, refusal: Callable[..., str]
) -> None:
    told = refusal("solo", "--rules", changed(tmp_path, name, **lines))
    assert told.startswith("salvo: rules file ")
    assert reason in told


def test_an_unknown_name_lists_the_presets(refusal: Callable[..., str]) -> None:
    told = refusal("rules", "clasic")
    assert told.startswith(
        "salvo: rules 'clasic': no preset has that name; did you mean 'classic'?"
    )

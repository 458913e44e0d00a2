"""Every preset plays a tournament of all bundled bots that can play it."""

import runpy
from pathlib import Path

import pytest

from arena.rules import PRESETS

check = runpy.run_path(str(Path(__file__).with_name("all_bots.py")))["check"]


def test_all_meet_all_by_the_rules_of_the_game(tmp_path: Path) -> None:
    check("salvo", tmp_path, "--isolation", "none")


@pytest.mark.parametrize("name", [name for name in PRESETS if name not in {"salvo", "afp"}])
def test_all_who_can_play_a_preset_play_a_tournament(name: str, tmp_path: Path) -> None:
    check(name, tmp_path, "--isolation", "none", "--gauntlet", "uniform_random")


def test_the_wikis_game_is_played_by_processes_as_isolated_as_can_be(tmp_path: Path) -> None:
    check("afp", tmp_path, "--gauntlet", "uniform_random", in_process=False)

"""Every preset plays a full tournament of all bundled bots that can play it."""

import runpy
from pathlib import Path

import pytest

from arena.rules import PRESETS

check = runpy.run_path(str(Path(__file__).with_name("all_bots.py")))["check"]


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "afp"])
def test_all_who_can_play_a_preset_play_a_tournament(name: str, tmp_path: Path) -> None:
    check(name, tmp_path, "--isolation", "none")


def test_the_wikis_game_is_played_by_processes_as_isolated_as_can_be(tmp_path: Path) -> None:
    check("afp", tmp_path, in_process=False)

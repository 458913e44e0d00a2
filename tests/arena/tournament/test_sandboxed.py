"""Every bundled bot plays in the sandbox: as processes that see nothing but their own files."""

import json
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.rules import preset
from arena.store import Store

all_bots = runpy.run_path(str(Path(__file__).with_name("all_bots.py")))
PRESETS = ("ramesh-1", "row-10-3", "apart")
REFERENCE = "uniform_random"
ALONE = ("deep_salvo", "self_play")
"""Who plays none of these presets."""


@pytest.fixture
def sandbox() -> list[str]:
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed: apt install bubblewrap")
    return ["--isolation", "sandbox"]


def field(name: str) -> set[str]:
    return {bot for bot in all_bots["bundled_bots"]() if all_bots["plays"](bot, preset(name))}


@pytest.mark.parametrize("name", PRESETS)
def test_all_who_can_play_do_so_in_the_sandbox(
    name: str, tmp_path: Path, sandbox: list[str]
) -> None:
    words = [*sandbox, "--gauntlet", REFERENCE]
    games = all_bots["play"](name, tmp_path, *words, in_process=False)
    assert {game.fixture.first for game in games if game.fixture.second is None} == field(name)
    assert {game.fixture.second for game in games} > field(name) - {REFERENCE}
    assert not [game.reason for game in games if game.forfeit]
    with Store(tmp_path / "salvo.sqlite3", create=False) as store:
        tournament = store.tournament().name
        levels = {json.loads(text)["level"] for text in store.isolation_levels(tournament)}
    assert levels == {"sandbox"}


def test_bots_of_the_standard_fleet_alone_do_so_too(tmp_path: Path, sandbox: list[str]) -> None:
    words = ["tournament", *ALONE, REFERENCE, "--rules", "classic", "--games", "2", *sandbox]
    command = [sys.executable, "-m", "salvo", *words, "--layouts", "1"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    with Store(tmp_path / "salvo.sqlite3", create=False) as store:
        games = list(store.games(store.tournament().name))
    assert len(games) == (len(ALONE) + 1) ** 2  # two a pairing, and one alone each
    assert not [game.reason for game in games if game.forfeit]


def test_every_bundled_bot_is_among_them() -> None:
    assert set(ALONE).union(*map(field, PRESETS)) == set(all_bots["bundled_bots"]())

"""Every bundled bot plays in the sandbox: as a process that sees nothing but its own files."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.store import Store
from salvo.bundled import bundled_bots

pytestmark = pytest.mark.long("all bots in the sandbox")

REFERENCE = "uniform_random"
FEW = {
    "row-10-3": ["landy", "optimal_row"],
    "apart": ["clever"],
    "classic": ["deep_salvo", "self_play"],
}
"""By preset, the bots that cannot play ``ramesh-1``."""

REST = sorted({*bundled_bots()}.difference([REFERENCE], *FEW.values()))
FIELDS = {"ramesh-1": REST, **FEW}
"""By which preset each bot plays here; the games of presets are seen in ``test_presets``."""


@pytest.mark.parametrize(("rules", "bots"), FIELDS.items(), ids=FIELDS)
def test_bundled_bots_play_in_the_sandbox(rules: str, bots: list[str], tmp_path: Path) -> None:
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed: apt install bubblewrap")
    words = ["tournament", *bots, REFERENCE, "--rules", rules, "--gauntlet", REFERENCE]
    size = ["--games", "2", "--layouts", "1", "--isolation", "sandbox"]
    command = [sys.executable, "-m", "salvo", *words, *size]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    with Store(tmp_path / "salvo.sqlite3", create=False) as store:
        tournament = store.tournament().name
        games = list(store.games(tournament))
        levels = {json.loads(text)["level"] for text in store.isolation_levels(tournament)}
    assert levels == {"sandbox"}
    assert not [game.reason for game in games if game.forfeit]
    alone = sorted(game.fixture.first for game in games if game.fixture.second is None)
    assert alone == sorted([*bots, REFERENCE])
    assert len(games) == 3 * len(bots) + 1  # each has two with the reference, too

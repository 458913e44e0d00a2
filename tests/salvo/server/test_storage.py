"""A league that cannot be written: a line for whoever started the server, and one for visitors."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.errors import StorageError
from salvo.server.database.server_database import Database
from tests.salvo.server.conftest import Served

pytestmark = pytest.mark.usefixtures("_sandbox")

BOX = ("bwrap", "--die-with-parent", "--dev-bind", "/", "/")
SMALL = ("--size", str(6 << 20), "--tmpfs")


def run(league: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command where the folder of a league is read-only, for root too."""
    box = (*BOX, "--ro-bind", str(league), str(league))
    command = (*box, sys.executable, "-m", "salvo", *words, "--league", str(league))
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


@pytest.mark.parametrize("words", [("serve", "--port", "0"), ("operate", "pause")])
@pytest.mark.parametrize("is_new", [True, False])
def test_league_that_is_read_only_is_a_line(
    league: Path, words: tuple[str, ...], *, is_new: bool
) -> None:
    league.chmod(0o700)
    if is_new:
        (league / "serve").mkdir()
    else:
        with Database(league):
            pass
    done = run(league, *words)
    assert done.returncode == 2, done.stderr
    [said] = [line for line in done.stderr.splitlines() if "cannot be submitted" not in line]
    assert said.startswith("salvo: ")
    assert "read-only" in said.lower() or "cannot be opened" in said
    assert done.stdout == ""


def test_full_disk_is_said_and_is_no_bug(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "small"
    place.mkdir()

    class Full(Served):
        within = (*BOX, *SMALL, str(place))

    full = Full(place / "league", "--public")
    try:
        full.post("/api/operate/pause", {}, full.key)
        [code] = full.invite()
        process = full.process.pid
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        inside = Path(f"/proc/{children[0]}/root/{place}/filler")
        with pytest.raises(OSError, match="No space"):
            fill(inside)
        answer = full.submit("late", bytes(100_000), code)
        assert answer.status == 507
        assert "bug" not in answer.text
        assert "its operator can see why" in answer.text

        def refused() -> Any:  # noqa: ANN401 - an answer
            told = full.post("/api/operate/pause", {}, full.key)
            return None if told.status == 200 else told

        assert full.until(refused).status == 507
        assert full.get("/rules").status == 200
        inside.unlink()
        assert full.until(lambda: full.post("/api/operate/pause", {}, full.key).status == 200)
    finally:
        full.stop()
    said = capfd.readouterr().err
    assert "No space left on device" in said


def test_what_is_no_matter_of_the_disk_stays_a_bug(league: Path) -> None:
    def ask() -> None:
        with Database(league) as db:
            db.execute("SELECT 1 FROM nowhere")

    with pytest.raises(Exception, match="nowhere") as found:
        ask()
    assert not isinstance(found.value, StorageError)

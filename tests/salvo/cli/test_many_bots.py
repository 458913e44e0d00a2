"""Of a large field each bot introduces itself when it first plays; the tables say who has not."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from salvo.playing import entering

Salvo = Callable[..., Any]

BOT = """
from pathlib import Path

from arena import Bot, run

Path({marker!r}).touch()


class Shooter(Bot):
    author = "somebody"

    def plays(self, rules):
        return {plays}

    def choose_shots(self, count):
        return self.untried[:count]


run(Shooter)
"""
SMALL = ("--rules", "ramesh-1", "--isolation", "none", "--games", "2", "--layouts", "0")


def field(folder: Path, names: list[str], declining: str = "") -> list[str]:
    """Write bots that leave a file when they are started, and return their paths."""
    (folder / "started").mkdir()
    for name in names:
        text = BOT.format(marker=str(folder / "started" / name), plays=name != declining)
        (folder / f"{name}.py").write_text(text)
    return [f"{name}.py" for name in names]


def started(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "started").iterdir())


def test_a_large_field_starts_only_bots_that_play_and_none_again_when_resumed(
    salvo: Salvo, tmp_path: Path
) -> None:
    bots = field(tmp_path, [f"bot{number:03}" for number in range(entering.MOST_ASKED + 1)])
    one_block = ("tournament", *bots, *SMALL, "--db", "one.sqlite3", "--shard", "1/5050")
    assert salvo(*one_block).code == 0
    played = started(tmp_path)
    assert len(played) == 2
    for name in played:
        (tmp_path / "started" / name).unlink()
    assert salvo(*one_block).code == 0
    assert started(tmp_path) == []
    table = salvo("standings", "--db", "one.sqlite3")
    assert "99 of the 101 bots have not played yet: bot" in table.out
    assert salvo("report", "--db", "one.sqlite3").code == 0
    page = (tmp_path / "salvo-report.html").read_text()
    assert all(f"{name} by somebody" in page for name in played)
    assert page.count("by somebody; ") == 1
    assert started(tmp_path) == []


def test_a_bot_of_a_large_field_that_does_not_play_the_rules_forfeits(
    salvo: Salvo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = field(tmp_path, ["one", "other", "unable"], declining="unable")
    monkeypatch.setattr(entering, "MOST_ASKED", 2)
    ran = salvo("tournament", *bots, *SMALL)
    assert ran.code == 3
    assert "one that does not play ramesh-1 is not left out, but forfeits its games" in ran.err
    assert "unable forfeited 4 of 4 games, mostly because: says that it does not" in ran.err
    assert "match of one and unable: every game was a forfeit" in ran.err
    rows = salvo("standings", "--format", "json").json["elo"]
    assert {row["bot"]: row["games"] for row in rows} == {"one": 4, "other": 4, "unable": 4}


def test_a_small_field_is_asked_beforehand(salvo: Salvo, tmp_path: Path) -> None:
    bots = field(tmp_path, ["one", "other", "unable"], declining="unable")
    ran = salvo("tournament", *bots, *SMALL)
    assert ran.code == 0
    assert "salvo: unable does not play ramesh-1 and is left out" in ran.err
    rows = salvo("standings", "--format", "json").json["elo"]
    assert sorted(row["bot"] for row in rows) == ["one", "other"]

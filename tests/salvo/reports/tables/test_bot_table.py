"""Bundled bots in a table, each as it introduces itself."""

from pathlib import Path

import pytest

from arena.bot import Bot
from arena.rules import preset
from bots.hunt_target import HuntTarget
from bots.optimal_row import OptimalRow
from salvo.reports.tables import bot_table


class Unable(Bot):
    """A bot for which something is not installed."""

    def __init__(self) -> None:
        raise ImportError("torch is not here")


def test_bots_say_whether_they_play_the_rules(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "bot.py").write_text('"""Its idea.\n\nAnd more.\n"""')
    (tmp_path / "file.py").write_text('"""Another."""')
    (tmp_path / "bare.py").write_text("")
    classes = {"bare": Unable, "file": HuntTarget, "folder": OptimalRow}
    paths = {"bare": tmp_path / "bare.py", "file": tmp_path / "file.py"}
    paths["folder"] = tmp_path / "folder"
    monkeypatch.setattr(bot_table, "bundled_bots", lambda: paths)
    monkeypatch.setattr(bot_table, "bot_class", classes.__getitem__)
    table = bot_table.bot_table(preset("salvo"))
    assert table.columns == ("bot", "version", "plays salvo", "default field", "idea")
    unable, file, folder = table.rows
    assert unable[:4] == ("bare", "", "", "")
    assert str(unable[4]).startswith("cannot be played here: ")
    assert "torch is not here" in str(unable[4])
    assert file == ("file", HuntTarget.version, "yes", "yes", "Another.")
    assert folder == ("folder", OptimalRow.version, "no", "no", "Its idea.")

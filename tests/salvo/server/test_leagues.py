"""The folder of a league is closed to others, and messages do not name it."""

from pathlib import Path

import pytest

from arena.errors import UserError
from arena.league import League
from salvo.server.leagues import make_private, open_league, opened, without_place
from salvo.server.web import shown_games


def test_folder_that_others_could_read_is_closed_to_them(league: Path) -> None:
    league.chmod(0o755)
    make_private(league)
    assert league.stat().st_mode & 0o777 == 0o700


def test_new_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    make_private(tmp_path / "new" / "league")
    assert (tmp_path / "new" / "league").stat().st_mode & 0o777 == 0o700


def test_folder_that_cannot_be_made_is_a_mistake_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"league folder .*file/league: it cannot be kept"):
        make_private(tmp_path / "file" / "league")


def test_record_in_which_nothing_is_yet_has_no_games(league: Path) -> None:
    (league / "salvo.sqlite3").touch()
    assert shown_games.recent(open_league(league)) == []
    with opened(league / "salvo.sqlite3") as store:
        assert store is None


@pytest.mark.parametrize("kind", ["relative", "absolute"])
def test_what_readers_are_told_does_not_say_where_a_league_lies(
    league: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(league.parent)
    folder = Path(league.name) if kind == "relative" else league
    with pytest.raises(UserError) as refusal:
        League(folder).withdraw("nobody")
    told = without_place(str(refusal.value), folder)
    assert told.startswith("league folder league: no 'nobody' plays in it")
    told = without_place(f"record {league.resolve()}/salvo.sqlite3: it is broken", folder)
    assert told == "record salvo.sqlite3: it is broken"

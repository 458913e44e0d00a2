"""The face for notebooks: `import salvo` is quick, and a record is read as tables and a page."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import salvo
from arena.errors import RecordError
from salvo.cli.main import salvo as command
from salvo.reports.pages.featured_games import featured_games

if TYPE_CHECKING:
    from arena.store import Tournament
    from salvo.reports.how_rated import HowRated

SIZE = ("--rules", "ramesh-1", "--isolation", "none", "--workers", "1")


def run(folder: Path, *words: str) -> str:
    """Run a command of ``salvo`` in a folder, and return what it printed."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        return CliRunner().invoke(command, words, catch_exceptions=False).output
    finally:
        os.chdir(before)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a record of two tournaments, the newer one of solo games."""
    path = tmp_path_factory.mktemp("record")
    bots = ("uniform_random", "hunt_target")
    run(path, "tournament", *bots, *SIZE, "--games", "4", "--layouts", "3", "--tournament", "both")
    run(path, "solo", *bots, *SIZE, "--layouts", "2", "--tournament", "alone")
    return path


@pytest.fixture
def record(folder: Path) -> "salvo.Record":
    return salvo.open_record(folder / "salvo.sqlite3")


def test_import_imports_nothing_else() -> None:
    code = "import sys, salvo; print({'arena', 'click', 'numpy', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "set()\n"


def test_face_is_listed_and_nothing_more() -> None:
    assert set(salvo.__all__) <= set(dir(salvo))
    with pytest.raises(AttributeError, match="no attribute 'opened_record'"):
        _ = salvo.opened_record  # type: ignore[attr-defined]


def test_tournaments_are_listed_with_how_much_was_played(record: "salvo.Record") -> None:
    table = record.tournaments
    assert table["tournament"].tolist() == ["both", "alone"]
    assert table["kind"].tolist() == ["tournament", "solo"]
    assert table["bots"].tolist() == [2, 2]
    assert table["games"].tolist() == [4, 0]
    assert table["solo games"].tolist() == [6, 4]


def test_games_are_a_row_each_solo_games_among_them(record: "salvo.Record") -> None:
    games = record.games("both")
    assert len(games) == 4 + 2 * 3
    assert games["second"].isna().sum() == 2 * 3
    assert games["game"].is_unique


def test_newest_tournament_is_meant_where_none_is_named(
    folder: Path, record: "salvo.Record"
) -> None:
    assert len(record.games()) == 2 * 2
    both = salvo.open_record(folder / "salvo.sqlite3", "both")
    assert len(both.games()) == len(record.games("both")) == 4 + 2 * 3
    assert len(both.games("alone")) == 2 * 2


def test_games_of_a_bot_are_those_in_which_it_sat(record: "salvo.Record") -> None:
    games = record.games("both", bot="hunt_target")
    assert len(games) == 4 + 3
    alone = games[games["second"].isna()]
    assert (alone["first"] == "hunt_target").all()


def test_own_tournament_is_rated_as_the_record_was_told(folder: Path) -> None:
    told: Any = object()
    asked = []

    def rated(_: object, tournament: "Tournament", how: "HowRated") -> Any:  # noqa: ANN401
        asked.append((tournament.name, how.prior))
        return told

    own = salvo.Record(folder / "salvo.sqlite3", "both", standing=rated)
    assert own.standing() is own.standing("both", prior=False) is told
    assert own.standing("alone") is not told
    assert asked == [("both", True), ("both", False)]


def test_elo_leaderboard_is_the_one_that_is_printed(folder: Path, record: "salvo.Record") -> None:
    elo = record.elo("both")
    assert set(elo["bot"]) == {"uniform_random", "hunt_target"}
    assert (elo["games"] == 4).all()
    printed = json.loads(run(folder, "standings", "--tournament", "both", "--format", "json"))
    assert [row["bot"] for row in printed["elo"]] == elo["bot"].tolist()
    assert [row["elo"] for row in printed["elo"]] == pytest.approx(elo["elo"], abs=0.1)


def test_ratings_do_without_the_prior_if_asked(record: "salvo.Record") -> None:
    weak, none = (record.elo("both", prior=prior) for prior in (True, False))
    assert not weak["elo"].equals(none["elo"])
    assert record.elo("both").equals(weak)
    ratings = record.standing("both").ratings
    assert ratings is not None
    assert ratings.table.equals(weak)
    assert record.figures("both")["elo"] != record.figures("both", prior=False)["elo"]


def test_turns_leaderboard_has_every_bot(record: "salvo.Record") -> None:
    turns = record.turns("both")
    assert set(turns["bot"]) == {"uniform_random", "hunt_target"}
    assert (turns["games"] == 3).all()


def test_leaderboard_of_games_that_were_not_played_is_empty(record: "salvo.Record") -> None:
    assert record.elo("alone").empty


def test_report_is_the_page_that_the_command_writes(folder: Path, record: "salvo.Record") -> None:
    run(folder, "report", "--tournament", "both", "--report", "page.html")
    assert record.report("both") == (folder / "page.html").read_text(encoding="utf-8")


def test_missing_record_is_refused_when_it_is_opened(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"nowhere\.sqlite3"):
        salvo.open_record(tmp_path / "nowhere.sqlite3")


def test_missing_tournament_is_refused_with_those_that_there_are(
    folder: Path, record: "salvo.Record"
) -> None:
    with pytest.raises(RecordError, match=r"neither.*both"):
        record.elo("neither")
    with pytest.raises(RecordError, match=r"neither.*both"):
        salvo.open_record(folder / "salvo.sqlite3", "neither")


def test_games_name_who_won(record: "salvo.Record") -> None:
    games = record.games("both")
    assert games["forfeit"].dtype == bool
    assert set(games["winner"]) <= {"uniform_random", "hunt_target"}
    rated = record.standing("both").games
    first = rated.set_index("id")["result"] == "first"
    named = games.set_index("game").loc[first.index]
    assert ((named["winner"] == named["first"]) == first).all()


def test_matrix_has_the_share_of_the_points_of_each_against_each(record: "salvo.Record") -> None:
    matrix = record.matrix("both")
    order = record.elo("both")["bot"].tolist()
    assert matrix.index.tolist() == matrix.columns.tolist() == order
    assert matrix.iloc[0, 1] + matrix.iloc[1, 0] == 1
    assert matrix.isna().to_numpy().diagonal().all()
    assert record.matrix("alone").empty


def test_record_at_a_prompt_is_what_the_command_prints(
    folder: Path, record: "salvo.Record"
) -> None:
    printed = run(folder, "standings", "--tournament", "alone").splitlines()
    shown = repr(record).splitlines()
    assert shown[0] == "Salvo solo: 2 bots, rules ramesh-1"
    assert [line for line in printed if line in shown][:3] == printed[:3]


def test_game_is_a_page_to_step_through_and_a_text(folder: Path, record: "salvo.Record") -> None:
    game = record.games("both")["game"].iloc[-1]
    shown = record.replay(game[:8])
    assert repr(shown) == run(folder, "replay", game).rstrip("\n")
    page = shown._repr_html_()
    assert page.startswith("<iframe srcdoc=")
    assert "record.replay(" in page
    assert "salvo replay" not in page


def test_closest_game_is_shown_if_none_is_named(record: "salvo.Record") -> None:
    for name in ("both", "alone"):
        alone = record.turns(name)["bot"].tolist()
        standing = record.standing(name)
        games = standing.games, standing.searches
        first, *_ = featured_games(*games, standing.ratings, alone)
        assert record.replay(tournament=name).game.fixture.id == first.id


def test_game_that_is_not_there_is_refused(record: "salvo.Record") -> None:
    with pytest.raises(RecordError, match=r"`record.games\(\)` lists them"):
        record.replay("zz")

"""The charter of a league is changed where it may be."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.entrants import Terms
from arena.errors import UserError
from arena.league import Anchor, Charter, League, amend
from arena.league.amending import CHANGED, FIXED, RAISED
from arena.league.charter import read_charter, write_charter
from arena.league.planned import Planned
from arena.records import Settings
from arena.rules import preset
from tests.golden import compare

CHARTER = Charter(rules=preset("ramesh-1"), seed="5", anchor=Anchor(bot="alpha@1"))


@pytest.fixture
def league(tmp_path: Path) -> Path:
    write_charter(CHARTER, tmp_path / "league.toml")
    return tmp_path


def charter(league: Path) -> Charter:
    return read_charter(league / "league.toml")


FULL = Charter(
    rules=preset("ramesh-1"),
    seed="6",
    games=20,
    layouts=7,
    block_games=4,
    times=Settings(load_s=9.5, move_s=1.25, game_s=30.0),
    terms=Terms(
        max_memory_mb=2000,
        processes=True,
        max_temporary_mb=9,
        grants=("/usr", "/opt"),
        network=("a.org:443",),
        secrets=("alpha=KEY",),
    ),
    max_versions=3,
    max_mb=8,
    anchor=Anchor(bot="alpha@1", elo=1234.5),
    rivals=True,
    opens=datetime(2026, 11, 1, 8, tzinfo=UTC),
    closes=datetime(2026, 12, 1, 8, 30, tzinfo=UTC),
    tournaments=(
        Planned(name="sprint", at=datetime(2026, 11, 9, tzinfo=UTC), games=8, looks=2, seed="7"),
        Planned(name="final", at=datetime(2026, 12, 2, tzinfo=UTC), games=4, looks=1, seed="8"),
    ),
)


@pytest.mark.parametrize(
    ("given", "file"),
    [
        (Charter(rules=preset("ramesh-1"), seed="5"), "new_in_full.toml"),
        (FULL, "charter_in_full.toml"),
    ],
)
def test_charter_is_written_for_people_and_read_back(
    tmp_path: Path, given: Charter, file: str
) -> None:
    path = tmp_path / "league.toml"
    write_charter(given, path)
    compare(path.read_text("utf-8"), Path(__file__).with_name(file))
    assert read_charter(path) == given


def test_every_field_either_may_be_changed_or_is_fixed() -> None:
    fields = {*Charter.__struct_fields__, *Terms.__struct_fields__} - {"terms"}
    told = [*RAISED, *CHANGED, *FIXED]
    assert sorted(told) == sorted(fields)


def test_documents_say_what_may_be_changed() -> None:
    text = (Path(__file__).parents[3] / "docs" / "league.md").read_text(encoding="utf-8")
    for field, what in (RAISED | CHANGED | FIXED).items():
        assert f"| `{field}` |" in text, field
        assert what in text, field


@pytest.mark.parametrize(
    ("field", "words", "changed"),
    [
        ("games", ["200"], replace(CHARTER, games=200)),
        ("layouts", ["1000"], replace(CHARTER, layouts=1000)),
        ("max_versions", ["3"], replace(CHARTER, max_versions=3)),
        ("max_mb", ["9"], replace(CHARTER, max_mb=9)),
        ("processes", ["true"], replace(CHARTER, terms=Terms(processes=True))),
        ("max_memory_mb", ["2000"], replace(CHARTER, terms=Terms(max_memory_mb=2000))),
        ("max_temporary_mb", ["0"], replace(CHARTER, terms=Terms(max_temporary_mb=0))),
        (
            "grants",
            ["/usr", "/usr/bin/../lib"],
            replace(CHARTER, terms=Terms(grants=("/usr", "/usr/lib"))),
        ),
    ],
)
def test_what_may_be_changed_is_and_comments_stay(
    league: Path, field: str, words: list[str], changed: Charter
) -> None:
    path = league / "league.toml"
    path.write_text(path.read_text("utf-8") + "# mine\n", encoding="utf-8")
    before = path.read_text("utf-8").splitlines()
    assert amend(league, field, words).startswith(f"{field} is ")
    assert charter(league) == changed
    after = path.read_text("utf-8").splitlines()
    [line] = [new for old, new in zip(before, after, strict=True) if old != new]
    assert line.startswith(f"{field} = ")
    assert "#" in line
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_was_done_is_said(league: Path) -> None:
    for field, words, said in [
        ("games", ["200"], f"200, not 100. {RAISED['games']}"),
        ("rivals", ["true"], f"true, not false. {CHANGED['rivals']}"),
        ("grants", ["/usr", "/usr/bin/../lib"], f"/usr /usr/lib, not none. {CHANGED['grants']}"),
        ("grants", [], f"none, not /usr /usr/lib. {CHANGED['grants']}"),
        (
            "closes",
            ["2026-12-11T23:59+01:00"],
            f"2026-12-11 23:59+01:00, not none. {CHANGED['closes']}",
        ),
        ("closes", ["none"], f"none, not 2026-12-11 23:59+01:00. {CHANGED['closes']}"),
        ("network", ["example.org:443"], f"example.org:443, not none. {CHANGED['network']}"),
    ]:
        assert amend(league, field, words) == f"{field} is {said}"


def test_dates_that_leave_no_time_are_refused(league: Path) -> None:
    amend(league, "opens", ["2026-12-11T12:00+01:00"])
    for closes in ("2026-12-11T12:00+01:00", "2026-12-11T10:59+00:00"):
        with pytest.raises(UserError, match=r"closes: .* is not after opens, "):
            amend(league, "closes", [closes])
    amend(league, "closes", ["2026-12-11T11:01+00:00"])


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("elo", "nan", "elo is nan; give a number"),
        ("elo", "inf", "elo is inf; give a number"),
        ("bot", '"alpha"', "matching regex"),
        ("bot", '"alpha@0"', "matching regex"),
        ("elo", "1500.0\nname = 1", "unknown field `name`"),
    ],
)
def test_anchor_that_fixes_no_scale_is_refused(
    league: Path, field: str, value: str, told: str
) -> None:
    path = league / "league.toml"
    lines = path.read_text("utf-8").splitlines()
    new = [f"{field} = {value}" if line.startswith(f"{field} =") else line for line in lines]
    assert new != lines
    path.write_text("\n".join(new), encoding="utf-8")
    with pytest.raises(UserError, match=re.escape(told)):
        charter(league)


def test_a_value_on_several_lines_is_changed_too(league: Path) -> None:
    path = league / "league.toml"
    text = path.read_text("utf-8").replace("grants = []", 'grants = [\n  "/usr", # all\n]')
    path.write_text(text, encoding="utf-8")
    amend(league, "grants", [])
    assert charter(league) == CHARTER


@pytest.mark.parametrize(
    ("field", "words", "told"),
    [
        ("games", ["50"], "games: it is 100, and may only be raised; give more than that"),
        ("games", ["101"], "games 101: expected `int` that's a multiple of 2"),
        ("games", ["0"], "games 0: expected `int` >= 2"),
        ("layouts", ["-1"], "layouts -1: expected `int` >= 0"),
        ("max_versions", ["0"], "max_versions 0: expected `int` >= 1"),
        ("max_mb", ["0"], "max_mb 0: expected `int` >= 1"),
        ("games", ["100", "200"], "games: give one value, not 2"),
        ("games", ["many"], "games many: expected `int`, got `str`"),
        ("games", ["100"], "games: it is 100 already"),
        ("games", [], "games: give one value, not 0"),
        ("processes", ["perhaps"], "processes perhaps: expected `bool`, got `str`"),
        ("grants", ["/nowhere"], "grants: there is no '/nowhere'"),
        (
            "seed",
            ["7"],
            "'seed' is fixed: Seeds and layouts of all games derive from it. These may",
        ),
        ("rules", ["afp"], "'rules' is fixed: All games are played by them."),
        ("gmaes", ["7"], "'gmaes' is no field"),
        ("closes", ["2026-12-11"], "closes 2026-12-11: give a moment with its time zone, such as"),
        ("closes", ["never"], "such as 2026-12-11T23:59+01:00, or none"),
        ("network", ["nowhere"], "network: "),
        ("secrets", ["nothing"], "secrets: "),
    ],
)
def test_what_may_not_be_changed_is_not(
    league: Path, field: str, words: list[str], told: str
) -> None:
    before = (league / "league.toml").read_bytes()
    with pytest.raises(UserError) as found:
        amend(league, field, words)
    assert told in str(found.value)
    assert (league / "league.toml").read_bytes() == before
    assert [path.name for path in league.iterdir()] == ["league.toml"]


def test_a_league_goes_by_what_was_changed(league: Path) -> None:
    amend(league, "games", ["300"])
    assert League(league).charter.games == 300

"""Tournaments are announced in the charter of a league, and play as they were announced."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.errors import UserError
from arena.league import Anchor, Charter, League, amend, announce, call_off
from arena.league.charter import read_charter, write_charter
from arena.league.planned import Planned
from arena.rules import Rules, Ship
from arena.seeds import fingerprint
from arena.store import Store

TINY = Rules(name="tiny", rows=2, columns=3, fleet=(Ship("Boat", 2),))
CHARTER = Charter(
    rules=TINY, seed="5", games=100, layouts=3, block_games=10, anchor=Anchor(bot="alpha@1")
)
NOON = datetime(2026, 12, 12, 12, tzinfo=UTC)


@pytest.fixture
def league(tmp_path: Path) -> League:
    folder = tmp_path / "league"
    folder.mkdir()
    write_charter(CHARTER, folder / "league.toml")
    return League(folder)


def charter(league: League) -> Charter:
    return read_charter(league.folder / "league.toml")


def submit(league: League, name: str, content: str) -> str:
    path = league.folder.parent / f"{name}.py"
    path.write_text(f"# {content}\n", encoding="utf-8")
    with league.candidate(path, name) as candidate:
        return league.admit(candidate).full_name


def test_announced_tournament_has_a_seed_of_its_own_and_stays_as_it_is(league: League) -> None:
    sprint = announce(league, "sprint", NOON)
    other = announce(league, "practice-1", NOON - timedelta(hours=1), games=40, looks=2)
    assert (sprint.games, sprint.looks, sprint.at) == (100, 4, NOON)
    assert charter(league).tournaments == (other, sprint)
    assert len({sprint.seed, other.seed, CHARTER.seed}) == 3
    assert sprint.fingerprint == fingerprint(sprint.seed)
    assert sprint.seed not in sprint.fingerprint


def test_comments_of_the_charter_stay(league: League) -> None:
    path = league.folder / "league.toml"
    path.write_text("# mine\n" + path.read_text("utf-8"), encoding="utf-8")
    announce(league, "sprint", NOON)
    announce(league, "practice", NOON)
    call_off(league, "sprint")
    text = path.read_text("utf-8")
    assert text.startswith("# mine\n")
    assert text.count("[[tournaments]]") == 1
    assert [one.name for one in charter(league).tournaments] == ["practice"]


def test_moving_a_tournament_changes_nothing_else(league: League) -> None:
    before = announce(league, "sprint", NOON, games=40, looks=2)
    later = NOON + timedelta(days=1)
    assert announce(league, "sprint", later) == replace(before, at=later)
    assert announce(league, "sprint", NOON, games=40, looks=2) == before


@pytest.mark.parametrize(("games", "looks"), [(60, None), (None, 3)])
def test_what_was_announced_is_not_changed(
    league: League, games: int | None, looks: int | None
) -> None:
    announce(league, "sprint", NOON, games=40, looks=2)
    with pytest.raises(UserError, match="40 games a pairing and 2 looks were announced, and stay"):
        announce(league, "sprint", NOON, games=games, looks=looks)


@pytest.mark.parametrize(
    ("name", "games", "looks", "told"),
    [
        ("Final round", None, None, "tournament 'Final round': expected `str` matching regex"),
        (
            f"{'x' * 39}\u00e9y",
            None,
            None,
            f"tournament '{'x' * 39}\\xe9': expected `str` matching",
        ),
        ("league", None, None, "tournament league: the name is taken"),
        ("sprint", 41, None, "expected `int` that's a multiple of 2"),
        ("sprint", 0, None, "expected `int` >= 2"),
        ("sprint", None, 11, "expected `int` <= 10"),
        ("sprint", 20, 3, "3 looks are more than the 2 blocks of 10 games a pairing"),
        ("final", None, None, "it is played when versions are frozen; set `closes`"),
    ],
)
def test_tournament_that_cannot_be_played_is_refused(
    league: League, name: str, games: int | None, looks: int | None, told: str
) -> None:
    before = (league.folder / "league.toml").read_bytes()
    with pytest.raises(UserError) as refused:
        announce(league, name, NOON, games=games, looks=looks)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)
    assert (league.folder / "league.toml").read_bytes() == before


def test_final_begins_when_versions_are_frozen_also_if_dates_move(league: League) -> None:
    amend(league.folder, "closes", [NOON.isoformat()])
    with pytest.raises(UserError, match="tournament final"):
        announce(league, "final", NOON - timedelta(seconds=1))
    announce(league, "final", NOON)
    for closes in ("none", (NOON + timedelta(seconds=1)).isoformat()):
        with pytest.raises(UserError, match="tournament final"):
            amend(league.folder, "closes", [closes])
    amend(league.folder, "closes", [(NOON - timedelta(days=1)).isoformat()])
    assert charter(league).tournaments[0].at == NOON


def test_calling_off_what_is_not_planned_names_what_is(league: League) -> None:
    announce(league, "sprint", NOON)
    with pytest.raises(UserError, match="tournament final: it is not planned; planned are: sprint"):
        call_off(league, "final")


def test_looks_come_after_whole_blocks_and_the_last_after_all(league: League) -> None:
    sprint = announce(league, "sprint", NOON, games=94, looks=4)
    pairs = [sprint.pairs_at(look, CHARTER.block_pairs) for look in range(1, 5)]
    assert pairs == [15, 25, 40, 47]
    one = announce(league, "one", NOON, games=2)
    assert (one.looks, one.pairs_at(1, CHARTER.block_pairs)) == (1, 1)


@pytest.mark.parametrize(
    ("games", "looks"), [(10, 1), (12, 2), (20, 2), (22, 3), (40, 4), (42, 4), (400, 4)]
)
def test_there_are_four_looks_or_as_many_as_blocks(league: League, games: int, looks: int) -> None:
    assert announce(league, "sprint", NOON, games=games).looks == looks


def test_fifty_tournaments_may_be_planned(league: League) -> None:
    planned = tuple(
        Planned(name=f"t{number}", at=NOON, games=10, looks=1, seed="7") for number in range(50)
    )
    path = league.folder / "league.toml"
    path.unlink()
    write_charter(replace(CHARTER, tournaments=planned[:49]), path)
    announce(league, "one-more", NOON)
    assert len(charter(league).tournaments) == 50
    with pytest.raises(UserError, match="tournaments: there are 51; plan 50 at most"):
        announce(league, "too-many", NOON)
    call_off(league, "t0")
    announce(league, "again", NOON)


def test_two_tournaments_of_one_name_are_refused() -> None:
    planned = Planned(name="sprint", at=NOON, games=10, looks=1, seed="7")
    with pytest.raises(ValueError, match="tournament sprint: the name is taken; choose another"):
        replace(CHARTER, tournaments=(planned, planned))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("looks = 4", "look = 4", "unknown field `look`"),
        ("looks = 4", "looks = 0", "Expected `int` >= 1"),
        ("looks = 4", "looks = 11", "Expected `int` <= 10"),
        ("games = 100  # a pairing, at most", "games = 0", "Expected `int` >= 2"),
        ("games = 100  # a pairing, at most", "games = 3", "multiple of 2"),
        ('name = "sprint"', f'name = "{"s" * 31}"', "matching regex"),
        ("at = 2026-12-12T12:00:00+00:00", "at = 2026-12-12T12:00:00", "with a timezone component"),
    ],
)
def test_tournament_that_makes_no_sense_is_refused(
    league: League, old: str, new: str, told: str
) -> None:
    announce(league, "sprint", NOON)
    path = league.folder / "league.toml"
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(UserError, match=told):
        charter(league)


def test_versions_are_those_at_the_beginning_whatever_comes_after(league: League) -> None:
    for name in ("alpha", "beta", "gamma"):
        submit(league, name, "one")
    submit(league, "beta", "two")
    sprint = announce(league, "sprint", NOON)
    league = League(league.folder)
    with Store(league.record, create=True) as store:
        assert league.begin(sprint, store)
        league.withdraw("gamma")
        submit(league, "alpha", "two")
        lineup = league.planned_lineup(sprint, store, 1)
        with pytest.raises(UserError, match="tournament sprint: it has begun"):
            announce(league, "sprint", NOON)
        with pytest.raises(UserError, match="tournament sprint: it has begun"):
            call_off(league, "sprint")
    names = ["alpha@1", "beta@2", "gamma@1"]
    assert sorted(one.name for one in lineup.tournament.entrants) == names
    assert lineup.plan.pairings == tuple(
        (one, other) for one in names for other in names if one < other
    )
    assert (lineup.plan.pairs, lineup.plan.soloists) == (sprint.pairs_at(1, 5), ())
    of = lineup.tournament
    assert (of.name, of.kind, of.seed) == ("sprint", "planned", sprint.fingerprint)
    whole = league.tournament()
    assert (whole.name, whole.kind, whole.seed) == ("league", "league", fingerprint("5"))


def test_version_that_came_late_leaves_its_place_to_the_one_before(league: League) -> None:
    for name in ("alpha", "beta"):
        submit(league, name, "one")
    late = {submit(league, "beta", "two"), submit(league, "delta", "one")}
    sprint = announce(league, "sprint", NOON)
    league = League(league.folder)
    with Store(league.record, create=True) as store:
        assert league.begin(sprint, store, late)
        entrants = store.tournament("sprint").entrants
    assert sorted(one.name for one in entrants) == ["alpha@1", "beta@1"]


def test_tournament_that_was_called_off_or_moved_meanwhile_does_not_begin(league: League) -> None:
    for name in ("alpha", "beta"):
        submit(league, name, "one")
    sprint = announce(league, "sprint", NOON)
    announce(league, "sprint", NOON + timedelta(days=1))
    league = League(league.folder)
    with Store(league.record, create=True) as store:
        assert not league.begin(sprint, store)
        assert store.tournament_names() == []


def test_its_games_are_on_other_seeds_than_those_of_the_league(league: League) -> None:
    for name in ("alpha", "beta"):
        submit(league, name, "one")
    sprint = announce(league, "sprint", NOON)
    league = League(league.folder)
    with Store(league.record, create=True) as store:
        league.begin(sprint, store)
        plan = league.planned_lineup(sprint, store, 4).plan
    ours = {fixture.seeds for block in plan.blocks() for fixture in block.fixtures}
    theirs = {fixture.seeds for block in league.plan().blocks() for fixture in block.fixtures}
    assert len(ours) == sprint.games
    assert not ours & theirs

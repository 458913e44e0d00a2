"""Leagues: who enters, who is replaced, who leaves, and what is to be played."""

import contextlib
import json
import os
import re
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.entrants import Terms
from arena.errors import BotError, UserError
from arena.league import Anchor, Charter, Entry, League, Storage
from arena.league.charter import MOST_THINKING_S
from arena.records import Block, BlockRecord, Settings, Termination
from arena.rules import Rules, Ship, preset
from arena.schedule import Pending
from arena.seeds import Seeds
from arena.store import Store
from tests.games import ended

TINY = Rules(name="tiny", rows=2, columns=3, fleet=(Ship("Boat", 2),))
CHARTER = Charter(rules=TINY, seed="5", games=4, layouts=3, times=Settings(move_s=1.5))


@pytest.fixture
def league(tmp_path: Path) -> League:
    return League(tmp_path / "league", CHARTER)


def write(folder: Path, name: str, content: str) -> Path:
    path = folder / f"{name}.py"
    path.write_text(f"# {content}\n", encoding="utf-8")
    return path


def submit(league: League, name: str, content: str) -> Entry:
    with league.candidate(write(league.folder.parent, name, content), name) as candidate:
        return league.admit(candidate)


def states(league: League) -> dict[str, str]:
    return {entry.full_name: entry.state for entry in league.entries}


def test_a_new_league_is_written_down_when_its_first_bot_is_admitted(league: League) -> None:
    assert league.is_new
    submit(league, "alpha", "one")
    assert "\nelo = 1500.0\n" in (league.folder / "league.toml").read_text(encoding="utf-8")
    again = League(league.folder)
    assert not again.is_new
    assert again.charter == replace(CHARTER, anchor=Anchor(bot="alpha@1"), block_games=10)


@pytest.mark.parametrize("name", ["salvo", "afp", "lies"])
def test_any_rules_are_written_down_whole(name: str, tmp_path: Path) -> None:
    league = League(tmp_path / "league", Charter(rules=preset(name), seed="1"))
    submit(league, "alpha", "one")
    assert League(league.folder).charter.rules == preset(name)


def test_a_bot_that_is_not_admitted_leaves_nothing_behind(league: League) -> None:
    with league.candidate(write(league.folder.parent, "alpha", "one"), "alpha") as candidate:
        assert Path(candidate.entrant.program.files[0]).is_file()
    assert not league.folder.exists()


def test_a_bot_is_kept_by_the_hash_of_its_content(league: League) -> None:
    entry = submit(league, "alpha", "one")
    assert [path.name for path in (league.folder / "bots").iterdir()] == [entry.digest[:16]]
    (league.folder.parent / "alpha.py").unlink()
    assert league.tournament().entrants[0].digest == entry.digest
    assert league.changed() == []


def test_a_new_version_takes_the_name(league: League) -> None:
    submit(league, "alpha", "one")
    assert submit(league, "alpha", "two").full_name == "alpha@2"
    assert states(league) == {"alpha@1": "replaced", "alpha@2": "current"}
    assert [entry.full_name for entry in league.field] == ["alpha@2"]


def test_an_old_version_that_is_submitted_again_takes_its_place_again(league: League) -> None:
    for content in ("one", "two", "one"):
        submit(league, "alpha", content)
    assert states(league) == {"alpha@1": "current", "alpha@2": "replaced"}


def test_the_same_content_is_known_under_its_name_and_under_another(league: League) -> None:
    first = submit(league, "alpha", "one")
    folder = league.folder.parent
    with league.candidate(write(folder, "alpha", "one"), "alpha") as candidate:
        assert candidate.known == first
        assert candidate.twins == ()
    with league.candidate(write(folder, "beta", "one"), "beta") as candidate:
        assert candidate.known is None
        assert candidate.twins == ("alpha@1",)
        league.admit(candidate)
    assert len(list((league.folder / "bots").iterdir())) == 1


def test_who_withdraws_stays_in_the_record_and_may_come_back(league: League) -> None:
    submit(league, "alpha", "one")
    submit(league, "beta", "two")
    assert league.withdraw("alpha").full_name == "alpha@1"
    assert states(league) == {"alpha@1": "withdrawn", "beta@1": "current"}
    assert [entrant.name for entrant in league.tournament().entrants] == ["alpha@1", "beta@1"]
    submit(league, "alpha", "one")
    assert states(league)["alpha@1"] == "current"


def test_who_comes_back_changed_is_another_version(league: League) -> None:
    submit(league, "alpha", "one")
    league.withdraw("alpha")
    assert submit(league, "alpha", "two").full_name == "alpha@2"


@pytest.mark.parametrize("name", ["beta", "alpha@1", ""])
def test_who_is_not_in_it_cannot_be_withdrawn(league: League, name: str) -> None:
    submit(league, "alpha", "one")
    with pytest.raises(UserError, match=f"no '{name}' plays in it; its bots are alpha"):
        league.withdraw(name)


def test_nobody_is_named_where_nobody_plays(league: League) -> None:
    submit(league, "alpha", "one")
    league.withdraw("alpha")
    with pytest.raises(UserError, match="no 'alpha' plays in it; its bots are nobody"):
        league.withdraw("alpha")


def test_the_field_meets_and_a_version_meets_the_one_it_replaced(league: League) -> None:
    for name, content in [("b", "1"), ("a", "2"), ("c", "3"), ("b", "4"), ("b", "5")]:
        submit(league, name, content)
    league.withdraw("c")
    plan = league.plan()
    # The first bot of all is the anchor, and goes on meeting the others.
    assert league.anchor is not None
    assert league.anchor.full_name == "b@1"
    assert plan.pairings == (("a@1", "b@1"), ("a@1", "b@3"), ("b@1", "b@3"), ("b@2", "b@3"))
    assert plan.soloists == ("a@1", "b@3")
    assert (plan.pairs, plan.layouts, plan.seeds) == (2, 3, Seeds(5, TINY))


def test_games_of_two_bots_are_left_out_and_count_again(league: League) -> None:
    for name in ("alpha", "beta", "gamma"):
        submit(league, name, name)

    def left_out() -> set[frozenset[str]]:
        return set(League(league.folder).left_out)

    both, others = frozenset(("alpha", "beta")), frozenset(("beta", "gamma"))
    assert left_out() == set()
    told = league.leave_out("beta", "alpha")
    assert told == "games between beta and alpha are left out of the ratings"
    assert left_out() == {both}
    league.leave_out("gamma", "beta")
    assert left_out() == {both, others}
    told = league.leave_out("alpha", "beta", out=False)
    assert told == "games between alpha and beta count again"
    assert left_out() == {others}


@pytest.mark.parametrize(
    ("bots", "out", "told"),
    [
        (("alpha", "alpha"), True, "'alpha' does not meet itself; name two bots"),
        (("alpha", "delta"), True, "no bot of this league is called 'delta'"),
        (("d\u00e9lta", "alpha"), True, r"no bot of this league is called 'd\xe9lta'"),
        (("alpha", "beta"), True, "games between 'alpha' and 'beta' are left out already"),
        (("alpha", "gamma"), False, "games between 'alpha' and 'gamma' count already"),
    ],
)
def test_what_changes_nothing_that_is_left_out_is_refused(
    league: League, bots: tuple[str, str], *, out: bool, told: str
) -> None:
    for name in ("alpha", "beta", "gamma"):
        submit(league, name, name)
    league.leave_out("beta", "alpha")
    with pytest.raises(UserError, match=re.escape(told)):
        league.leave_out(*bots, out=out)
    assert set(League(league.folder).left_out) == {frozenset(("alpha", "beta"))}


def test_space_that_a_league_takes_is_told(league: League) -> None:
    submit_folder(league, "alpha", 1, megabytes=2)
    disk = league.disk()
    assert 2_000_000 < disk.bots < 2_010_000
    assert disk.bots < disk.league < disk.bots + 10_000
    assert disk.most_bots == 4_096_000_000


def test_what_is_missing_is_counted(league: League) -> None:
    submit(league, "alpha", "one")
    submit(league, "beta", "two")
    with Store(league.record, create=True) as store:
        league.extend(store)
        assert league.missing_games(store) == 4 + 2 * 3
        alone = next(one for one in league.plan().blocks() if one.entrants == ("alpha@1",))
        store.add(league.tournament(), record_of(alone))
        assert league.missing_games(store) == 4 + 3


def test_each_version_searches_layouts_of_its_own(league: League) -> None:
    submit(league, "alpha", "one")
    submit(league, "beta", "two")
    layouts = [
        fixture.seeds[1]
        for block in league.plan().blocks()
        for fixture in block.fixtures
        if fixture.second is None
    ]
    submit(league, "alpha", "three")
    later = [
        fixture.seeds[1]
        for block in league.plan().blocks()
        for fixture in block.fixtures
        if fixture.first == "alpha@2" and fixture.second is None
    ]
    assert len({*layouts, *later}) == len(layouts) + len(later) == 9


def test_the_record_does_not_hold_the_secret(league: League) -> None:
    submit(league, "alpha", "one")
    secret = replace(league.charter, seed="31415926535897932384626433832795028841")
    league.charter = secret
    with Store(league.record, create=True) as store:
        league.extend(store)
    for path in league.folder.glob("salvo.sqlite3*"):
        assert secret.seed.encode() not in path.read_bytes()


def test_the_record_takes_versions_as_they_come(league: League) -> None:
    submit(league, "alpha", "one")
    with Store(league.record, create=True) as store:
        league.extend(store)
        submit(league, "alpha", "two")
        league.extend(store)
        entrants = store.tournament("league").entrants
    assert [entrant.name for entrant in entrants] == ["alpha@1", "alpha@2"]


def change(league: League, old: str, new: str) -> League:
    path = league.folder / "league.toml"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    return League(league.folder)


def test_more_games_may_be_asked_for_and_nothing_else(league: League) -> None:
    submit(league, "alpha", "one")
    with Store(league.record, create=True) as store:
        league.extend(store)
        more = change(league, "layouts = 3", "layouts = 30")
        more.extend(store)
        assert more.missing_games(store) == 30
        with pytest.raises(UserError, match=r"was changed .* in seed: .* then, .* now; put"):
            change(league, 'seed = "5"', 'seed = "6"').extend(store)


def test_games_that_nobody_will_see_the_end_of_are_counted_at_once(league: League) -> None:
    submit(league, "alpha", "one")
    with Store(league.record, create=True) as store:
        league.extend(store)
        more = change(league, "layouts = 3", f"layouts = {10**15}")
        assert more.missing_games(store) == 10**15


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("games = 4", "games = 5", "multiple of 2"),
        ("games = 4", "games = 'x'", "Expected `int`"),
        ('seed = "5"', 'sede = "5"', "unknown field `sede`"),
        ('seed = "5"', "seed =", "Invalid value"),
        ("moves = false", "moves = true", "moves: ships may move"),
    ],
)
def test_a_charter_that_makes_no_sense_is_refused(
    league: League, old: str, new: str, reason: str
) -> None:
    submit(league, "alpha", "one")
    with pytest.raises(UserError, match=rf"league file .*league\.toml: .*{reason}.*; the fields"):
        change(league, old, new)


def test_a_register_that_makes_no_sense_is_refused(league: League) -> None:
    submit(league, "alpha", "one")
    register = league.folder / "register.json"
    text = register.read_text(encoding="utf-8")
    for wrong, told in (
        ("[{}]", "missing required field"),
        (text.replace('"name"', '"more": 1, "name"'), "unknown field `more`"),
        ("[", "truncated"),
    ):
        register.write_text(wrong, encoding="utf-8")
        with pytest.raises(UserError, match=rf"register\.json: .*{told}.*; put back a copy of it"):
            _ = league.field


def test_the_register_can_be_read_by_a_person(league: League) -> None:
    entry = submit(league, "alpha", "one")
    text = (league.folder / "register.json").read_text(encoding="utf-8")
    assert json.loads(text)[0]["words"] == ["{bot}/alpha.py"]
    assert json.loads(text)[0]["digest"] == entry.digest
    assert text.count("\n") > 5


def test_names_that_differ_by_capital_letters_alone_are_refused(league: League) -> None:
    submit(league, "alpha", "one")
    path = write(league.folder.parent, "beta", "two")
    with (
        pytest.raises(BotError, match="'Alpha' could be taken for 'alpha', which is in it"),
        league.candidate(path, "Alpha"),
    ):
        pytest.fail("it was let in")
    assert league.withdraw("ALPHA").full_name == "alpha@1"


@pytest.mark.parametrize("name", ["Big One", "a+b", "\u0430lpha", "x" * 41, ".hidden", "a@2", ""])
def test_a_name_that_is_none_for_tables_is_refused(league: League, name: str) -> None:
    path = write(league.folder.parent, "alpha", "one")
    with pytest.raises(BotError, match="cannot be shown in tables"), league.candidate(path, name):
        pytest.fail("it was let in")


def folder_bot(league: League) -> Path:
    team = league.folder.parent / "team"
    team.mkdir()
    (team / "bot.py").write_text("", encoding="utf-8")
    return team


@pytest.mark.parametrize("file", ["league.toml", "register.json", "salvo.sqlite3", "bots"])
def test_a_bot_cannot_link_to_what_the_league_keeps(league: League, file: str) -> None:
    submit(league, "alpha", "one")
    team = folder_bot(league)
    (team / "author").symlink_to(league.folder / file)
    with (
        pytest.raises(BotError, match="its link 'author' leads out of its folder"),
        league.candidate(team, "team"),
    ):
        pytest.fail("it was let in")
    assert len(list((league.folder / "bots").iterdir())) == 1


def test_what_changes_after_it_was_copied_does_not_count(league: League) -> None:
    path = write(league.folder.parent, "alpha", "one")
    with league.candidate(path, "alpha") as candidate:
        path.write_text("# two\n", encoding="utf-8")
        league.admit(candidate)
    assert league.changed() == []


def test_terms_hold_for_who_is_submitted_and_not_for_who_was_admitted(tmp_path: Path) -> None:
    terms = Terms(processes=True, max_temporary_mb=60)
    league = League(tmp_path / "league", replace(CHARTER, terms=terms))
    team = folder_bot(league)
    needs = "memory_mb = 3000\nprocesses = true\ntemporary_mb = 60\n"
    (team / "bot.toml").write_text(needs, encoding="utf-8")
    with league.candidate(team, "team") as candidate:
        league.admit(candidate)
    change(league, "processes = true", "processes = false")
    change(league, "max_temporary_mb = 60", "max_temporary_mb = 9")
    less = change(league, "max_memory_mb = 4096", "max_memory_mb = 2000")
    program = less.lineup().tournament.entrants[0].program
    assert (program.memory_mb, program.processes, program.temporary_mb) == (3000, True, 60)
    with (
        pytest.raises(
            BotError, match=r"asks for 3000 MB, and at most 2000 MB are allowed; .*league\.toml"
        ),
        less.candidate(team, "team"),
    ):
        pytest.fail("it was let in")


def test_what_a_league_grants_every_bot_may_read(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    terms = Terms(processes=True, grants=(str(shared),))
    league = League(tmp_path / "league", Charter(rules=TINY, seed=5, terms=terms))
    submit(league, "alpha", "one")
    again = League(tmp_path / "league")
    assert again.charter.terms == terms
    assert again.lineup().tournament.entrants[0].program.grants == (str(shared),)


@pytest.mark.parametrize("granted", [".", "league", "league/bots"])
def test_a_bot_that_could_read_the_league_is_refused(granted: str, tmp_path: Path) -> None:
    terms = Terms(grants=(str(tmp_path / granted),))
    league = League(tmp_path / "league", Charter(rules=TINY, seed="5", terms=terms))
    with (
        pytest.raises(BotError, match=r"'alpha' could read it, since it may read '/.*'; move"),
        league.candidate(write(tmp_path, "alpha", "one"), "alpha"),
    ):
        pytest.fail("it was let in")


def test_grants_may_change_after_games_were_played(league: League, tmp_path: Path) -> None:
    submit(league, "alpha", "one")
    with Store(league.record, create=True) as store:
        league.extend(store)
        shared = tmp_path / "shared"
        shared.mkdir()
        more = change(league, "grants = []", f'grants = ["{shared}"]')
        submit(more, "beta", "two")
        more.extend(store)
        lineup = more.lineup()
        assert {one.program.grants for one in lineup.tournament.entrants} == {(str(shared),)}
        store.extend(lineup.tournament)
        shared.rename(tmp_path / "elsewhere")  # who does not need it plays on
        assert League(league.folder).lineup().missing == {}


def test_nobody_comes_in_where_the_charter_is_not_that_of_the_record(league: League) -> None:
    submit(league, "alpha", "one")
    with Store(league.record, create=True) as store:
        league.extend(store)
    other = change(league, "move_s = 1.5", "move_s = 2.5")
    before = sorted(path for path in league.folder.rglob("*") if "sqlite3" not in path.name)
    with pytest.raises(
        UserError, match=r"was changed after games .* \(move_s\): 1\.5 then, 2\.5 now"
    ):
        submit(other, "beta", "two")
    after = sorted(path for path in league.folder.rglob("*") if "sqlite3" not in path.name)
    assert after == before
    assert states(league) == {"alpha@1": "current"}


def test_league_of_seeds_that_were_derived_in_another_way_is_not_extended(league: League) -> None:
    submit(league, "alpha", "one")
    with Store(league.record, create=True) as store:
        store.enter(replace(league.tournament(), derivation=1))
        with pytest.raises(UserError, match="it was begun by an older Salvo, whose seeds were"):
            league.extend(store)
    with pytest.raises(UserError, match="it was begun by an older Salvo, whose seeds were"):
        submit(league, "beta", "two")
    assert states(league) == {"alpha@1": "current"}


def test_the_charter_is_for_its_owner_alone(league: League) -> None:
    submit(league, "alpha", "one")
    assert (league.folder / "league.toml").stat().st_mode & 0o777 == 0o600


def test_entries_of_older_versions_play_by_their_command(league: League) -> None:
    entry = submit(league, "alpha", "one")
    register = league.folder / "register.json"
    text = register.read_text("utf-8").replace('"{bot}/alpha.py"', '"sh", "{bot}/alpha.py", "-x"')
    register.write_text(text.replace('"alpha"', '"Big One"'), encoding="utf-8")
    [entrant] = league.lineup().tournament.entrants
    script = str(league.folder / "bots" / entry.digest[:16] / "alpha.py")
    assert entrant.name == "Big One@1"
    assert entrant.program.argv[1:] == (script, "-x")


def test_a_folder_that_is_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thing").write_text("x", encoding="utf-8")
    for folder in (tmp_path, tmp_path / "thing"):
        with pytest.raises(UserError, match=r"has no league\.toml and is not an empty folder"):
            League(folder, CHARTER)


def test_a_missing_league_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"there is no league here; `salvo submit BOT --league"):
        League(tmp_path / "nowhere")


def test_a_changed_copy_is_reported(league: League) -> None:
    entry = submit(league, "alpha", "one")
    (league.folder / "bots" / entry.digest[:16] / "alpha.py").write_text("#", encoding="utf-8")
    assert league.changed() == ["alpha"]
    shutil.rmtree(league.folder / "bots" / entry.digest[:16])
    assert league.changed() == []  # it is said elsewhere that it cannot be started


def break_copy(league: League, entry: Entry, how: str) -> None:
    home = league.folder / "bots" / entry.digest[:16]
    if how == "no folder":
        shutil.rmtree(home)
    elif how == "no file":
        (home / "team" / "bot.py").unlink()
    else:
        (home / "team" / "bot.toml").write_text(how, encoding="ascii")


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("no folder", "its copy is gone"),
        ("no file", "the folder has no bot.py"),
        ('command = ["/nowhere/bin/python", "bot.py"]', "there is no '/nowhere/bin/python'"),
        ('command = "no-such-program bot.py"', "cannot be started here: .* 'no-such-program'"),
        ('files = ["/usr/nowhere"]', "there is no '/usr/nowhere'"),
    ],
)
@pytest.mark.parametrize("anchor", ["alpha@1", "team@1"])
def test_who_cannot_be_started_is_left_out_and_stops_nobody(
    tmp_path: Path, how: str, reason: str, anchor: str
) -> None:
    league = League(tmp_path / "league", replace(CHARTER, anchor=Anchor(bot=anchor)))
    submit(league, "alpha", "one")
    with league.candidate(folder_bot(league), "team") as candidate:
        entry = league.admit(candidate)
    submit(league, "beta", "two")
    with Store(league.record, create=True) as store:
        league.extend(store)
        break_copy(league, entry, how)
        broken = League(league.folder)
        assert not broken.can_start(entry)
        lineup = broken.lineup()
        [(name, told)] = lineup.missing.items()
        assert name == "team@1"
        assert re.search(reason, told)
        assert lineup.plan.pairings == (("alpha@1", "beta@1"),)
        assert lineup.plan.soloists == ("alpha@1", "beta@1")
        # The record has it as ever, and everybody else comes and goes.
        assert [one.name for one in broken.tournament().entrants] == ["alpha@1", "team@1", "beta@1"]
        submit(broken, "gamma", "three")
        broken.extend(store)
        broken.withdraw("team")
        left = {"team@1"} if anchor == "team@1" else set()  # whom all others are to meet
        assert League(league.folder).lineup().missing.keys() == left


def test_version_whose_archive_is_damaged_stops_nobody(league: League) -> None:
    first = submit_folder(league, "alpha", 1)
    submit(league, "beta", "one")
    league.storage.pack(first.digest)
    league.storage.drop(first.digest)
    archive = league.folder / "bots" / f"{first.digest[:16]}.tar.gz"
    archive.write_bytes(archive.read_bytes()[:40])
    anchored = League(league.folder)  # alpha@1, whom all others meet, is its anchor
    [told] = anchored.lineup().missing.values()
    assert "it cannot be started here: " in told
    assert str(archive) in told
    assert not anchored.can_start(first)


def test_a_league_may_be_moved(league: League, tmp_path: Path) -> None:
    submit(league, "alpha", "one")
    league.folder.rename(tmp_path / "else where")
    moved = League(tmp_path / "else where")
    assert "else where" in moved.lineup().tournament.entrants[0].program.files[0]


def submit_in_another_process(league: League, name: str, bot: Path) -> None:
    """Submit a bot while this process has a candidate."""
    child = os.fork()
    if child == 0:
        with league.candidate(bot, name) as candidate:
            league.admit(candidate)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def bot_folder(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "bot.py").write_text("# one\n", encoding="utf-8")
    return folder


def test_same_content_that_comes_in_twice_at_once_plays_for_both(
    league: League, tmp_path: Path
) -> None:
    submit(league, "first", "another")
    mine, yours = bot_folder(tmp_path / "mine"), bot_folder(tmp_path / "yours")
    with league.candidate(mine, "ada") as candidate:
        submit_in_another_process(league, "bob", yours)
        league.admit(candidate)
    assert len({entrant.program.argv for entrant in league.lineup().tournament.entrants}) == 2


def test_copy_that_was_left_by_a_kill_is_replaced(league: League, tmp_path: Path) -> None:
    submit(league, "first", "another")
    with league.candidate(bot_folder(tmp_path / "mine"), "ada") as candidate:
        (league.folder / "bots" / candidate.entrant.digest[:16] / "other").mkdir(parents=True)
        league.admit(candidate)
    assert len(league.tournament().entrants) == 2


def test_bot_whose_hash_begins_like_that_of_another_is_refused(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.league.storage._HASH_CHARACTERS", 2)

    def submit_many() -> None:
        for number in range(257):
            submit(league, f"bot{number}", str(number))

    with pytest.raises(BotError, match="begins like that of"):
        submit_many()
    assert {entrant.name for entrant in league.tournament().entrants} == set(states(league))


def numbered_bot(league: League, number: int, *, megabytes: int = 0) -> Path:
    folder = league.folder.parent / "upload"
    folder.mkdir(exist_ok=True)
    (folder / "bot.py").write_text(f"# {number}\n", encoding="utf-8")
    (folder / "run").write_text("", encoding="utf-8")
    (folder / "run").chmod(0o755)
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data" / "zeros").write_bytes(bytes(megabytes * 1_000_000))
    with contextlib.suppress(FileExistsError):
        (folder / "link").symlink_to("data")
    return folder


def submit_folder(league: League, name: str, number: int, *, megabytes: int = 0) -> Entry:
    path = numbered_bot(league, number, megabytes=megabytes)
    with league.candidate(path, name) as candidate:
        entry = league.admit(candidate)
    league.pack_idle()
    return entry


def test_others_enter_while_old_versions_are_packed(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit_folder(league, "beta", 9)
    for number in range(3):
        with league.candidate(numbered_bot(league, number), "alpha") as candidate:
            league.admit(candidate)
    packing = Storage.pack

    def pack(storage: Storage, digest: str) -> None:
        packing(storage, digest)
        # Whoever comes in meanwhile waits for nobody; what plays again by then stays.
        with league.candidate(numbered_bot(league, 0), "alpha") as candidate:
            league.admit(candidate)

    monkeypatch.setattr(Storage, "pack", pack)
    league.pack_idle()
    [first] = [entry for entry in league.entries if entry.full_name == "alpha@1"]
    assert first.state == "current"
    assert not league.storage.is_packed(first.digest)


def test_bundled_bot_whose_files_are_hard_links_is_entered(tmp_path: Path) -> None:
    # So do tools install packages.
    cached = tmp_path / "cached.py"
    cached.write_text("# bundled\n", encoding="utf-8")
    installed = tmp_path / "installed.py"
    installed.hardlink_to(cached)
    league = League(tmp_path / "league", CHARTER, {"installed": installed})
    with league.candidate(installed, "installed") as candidate:
        assert league.admit(candidate).full_name == "installed@1"
    with pytest.raises(BotError, match="hard link"), league.candidate(cached, "other"):
        pass


def test_old_versions_take_as_little_space_as_their_upload(league: League) -> None:
    for number in range(6):
        submit_folder(league, "alpha", number, megabytes=5)
    # The anchor, which is the first version, and the two that play now are not packed.
    assert league.storage.size() < 3 * 5_000_000 + 100_000
    packed = [entry.version for entry in league.entries if league.storage.is_packed(entry.digest)]
    assert packed == [2, 3, 4]
    assert league.disk().bots == league.storage.size()


def test_what_may_still_be_in_play_is_not_packed(league: League) -> None:
    for name, content in [
        ("beta", "b"),
        *(("alpha", str(number)) for number in range(6)),
        *((("alpha", "2"),)),
    ]:
        submit(league, name, content)
    league.pack_idle()
    packed = [one.full_name for one in league.entries if league.storage.is_packed(one.digest)]
    # Who plays, the one before it, and the newest two stay, as does the anchor, which is beta@1.
    assert packed == ["alpha@1", "alpha@4"]


def test_a_version_that_is_packed_is_recorded_and_comes_back(league: League) -> None:
    before = submit_folder(league, "beta", 9)
    entries = [submit_folder(league, "alpha", number) for number in range(4)]
    was = league.entrant(entries[0])
    submit_folder(league, "alpha", 4)
    assert league.storage.is_packed(entries[0].digest)
    names = {entrant.name: entrant.digest for entrant in league.tournament().entrants}
    assert names["alpha@1"] == entries[0].digest
    assert names["beta@1"] == before.digest
    again = submit_folder(league, "alpha", 0)
    assert again.full_name == "alpha@1"
    assert league.changed() == []
    assert {pairing for pairing in league.plan().pairings if "alpha@1" in pairing}
    assert league.entrant(again) == was
    assert (Path(was.program.folder) / "link").readlink() == Path("data")
    assert (Path(was.program.folder) / "run").stat().st_mode & 0o100


def test_a_version_that_plays_no_more_plays_again_where_it_is_asked_for(league: League) -> None:
    submit_folder(league, "beta", 9)
    first, *_ = [submit_folder(league, "alpha", number) for number in range(5)]
    assert league.storage.is_packed(first.digest)
    assert league.entrant(first).digest == first.digest
    assert Path(league.entrant(first).program.folder, "bot.py").is_file()


def test_versions_of_a_name_are_bounded(tmp_path: Path) -> None:
    league = League(tmp_path / "league", replace(CHARTER, max_versions=3))
    for number in range(3):
        submit(league, "alpha", str(number))
    with pytest.raises(BotError, match=r"'alpha' has 3 versions, and at most 3 are kept.*max_ver"):
        submit(league, "alpha", "another")
    assert submit(league, "alpha", "0").full_name == "alpha@1"
    assert submit(league, "beta", "another").full_name == "beta@1"


@pytest.mark.parametrize(("more", "fits"), [(0, True), (1, False)])
def test_bytes_of_a_league_may_be_used_to_the_last(
    tmp_path: Path, more: int, *, fits: bool
) -> None:
    league = League(tmp_path / "league", replace(CHARTER, max_mb=1))
    folder = bot_folder(tmp_path / "mine")
    (folder / "data").write_bytes(bytes(1_000_000 - len("# one\n") + more))
    with (
        contextlib.nullcontext()
        if fits
        else pytest.raises(BotError, match="would have 1 MB, and at most 1 MB are kept"),
        league.candidate(folder, "alpha") as candidate,
    ):
        league.admit(candidate)
    assert league.is_new
    assert [entry.full_name for entry in league.entries] == ["alpha@1"] * fits


def test_bytes_of_a_league_are_bounded(tmp_path: Path) -> None:
    league = League(tmp_path / "league", replace(CHARTER, max_mb=8))
    submit_folder(league, "alpha", 0, megabytes=5)
    with pytest.raises(BotError, match=r"would have 10 MB, and at most 8 MB are kept.*max_mb"):
        submit_folder(league, "beta", 1, megabytes=5)
    assert submit_folder(league, "beta", 1, megabytes=2).full_name == "beta@1"
    assert sorted(place.name[0] for place in league.storage.folder.iterdir()).count(".") == 0


@pytest.mark.parametrize(
    ("game_s", "games"), [(0.01, 20), (30, 20), (60, 10), (100, 6), (300, 2), (86_400, 2)]
)
def test_blocks_of_a_new_league_are_short_by_its_charter_alone(
    tmp_path: Path, game_s: float, games: int
) -> None:
    times = Settings(game_s=game_s)
    submit(League(tmp_path / "league", replace(CHARTER, times=times)), "alpha", "a")
    league = League(tmp_path / "league")
    plan = league.plan()
    assert (plan.block_layouts, 2 * plan.block_pairs) == (games, games)
    assert league.tournament().block_pairs == plan.block_pairs
    assert games * game_s <= max(MOST_THINKING_S, 2 * game_s)


@pytest.fixture
def older(tmp_path: Path) -> League:
    """Return a league of an older version: its charter does not say how many games a block has."""
    charter = replace(CHARTER, games=40, layouts=120)
    submit(League(tmp_path / "older", charter), "alpha", "a")
    path = tmp_path / "older" / "league.toml"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "block_games" not in line), encoding="utf-8")
    return League(tmp_path / "older")


def test_older_league_goes_on_in_blocks_of_fifty_solo_games(older: League) -> None:
    entrant = submit(older, "beta", "b").full_name
    plan = older.plan()
    alone = [block for block in plan.blocks() if block.entrants == (entrant,)]
    assert [len(block.fixtures) for block in alone] == [50, 50, 20]
    played = [record_of(block) for block in alone[:2]]
    with Store(older.record, create=True) as store:
        older.extend(store)
        store.add_all(older.tournament(), played)
    with Store(older.record, create=True) as store:  # the next run
        older.extend(store)
        there = store.played("league")
        pending = Pending(plan, there, lambda _: ())
        left = list(iter(pending.take, None))
    assert alone[2] in left
    assert not [block for block in left if block in alone[:2]]
    assert older.plan().most_games - older.plan().games_in(there) == 2 * 120 + 40 - 100


def record_of(block: Block) -> BlockRecord:
    """Return a record of a solo block in which every layout won."""
    games = tuple(
        ended(fixture, "second", termination=Termination.CAPPED) for fixture in block.fixtures
    )
    return BlockRecord(block, games, "{}")


def test_size_of_a_block_is_not_changed_after_games_were_played(league: League) -> None:
    submit(league, "alpha", "a")
    with Store(league.record, create=True) as store:
        league.extend(store)
        path = league.folder / "league.toml"
        path.write_text(path.read_text().replace("block_games = 10", "block_games = 8"))
        with pytest.raises(UserError, match="pairs a block: 5 then, 4 now; put that back"):
            League(league.folder).extend(store)

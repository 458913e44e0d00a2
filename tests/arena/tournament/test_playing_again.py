"""A bot of a record is found on this machine, and blocks are played again beside their record."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.entrants import Entrant, Terms, enter, parse_entrant
from arena.executors import ThisProcess
from arena.records import Block, BlockRecord, Fixture, Game, Settings, Tally, Termination, Void
from arena.rules import preset
from arena.seeds import Seeds
from arena.store import Tournament
from arena.tournament.verifying import find_again, play_again, seeds_of

RULES = preset("ramesh-1")
CUP = Tournament(
    name="cup", kind="tournament", rules=RULES, seed="1", settings=Settings(), entrants=()
)
KILLED = Void("x", 0, "a", "was killed")


def record(bot: str, *voids: Void, reason: str = "") -> BlockRecord:
    fixture = Fixture(f"of {bot}", bot, None, 0, Seeds(1, RULES).of_game(bot, None, 0))
    game = Game(
        fixture=fixture,
        result="first",
        termination=Termination.SUNK,
        reason=reason,
        forfeit=None,
        layouts={},
        steps=(),
        tallies=(Tally(3, 3, 1), Tally()),
    )
    return BlockRecord(Block((bot,), 0, (fixture,)), (game,), "none", voids)


def test_each_block_is_compared_unless_it_was_interrupted_then_or_now() -> None:
    then = [record("a"), record("b", reason="x"), record("c", KILLED), record("d")]
    again = {"a": record("a"), "b": record("b", reason="y"), "d": record("d", KILLED, reason="y")}
    found = list(play_again(then, CUP, ThisProcess(), lambda block: again[block.entrants[0]]))
    told = "game of b of b: reason: x in the record, y now"
    assert [(one.record.block.entrants, one.differences, one.interrupted) for one in found] == [
        (("c",), (), True),
        (("a",), (), False),
        (("b",), (told,), False),
        (("d",), (), True),
    ]


@pytest.mark.parametrize(
    ("given", "derive"),
    [
        ({}, True),
        ({"kind": "match"}, True),
        ({"kind": "league", "seed": "hash"}, False),
        ({"kind": "planned", "seed": "hash"}, False),
        ({"kind": "play", "seed": ""}, False),
        ({"derivation": 1}, False),
    ],
)
def test_seeds_are_those_of_the_tournament_where_it_tells_them(
    given: dict[str, object], *, derive: bool
) -> None:
    assert seeds_of(replace(CUP, **given)) == Seeds(1 if derive else 0, RULES)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text("# mine\n", encoding="utf-8")
    return path


def of_record(path: Path, *options: str) -> Entrant:
    """Return a bot as a league's record has it."""
    entrant = parse_entrant(" ".join(["x=" + str(path), *options]), {})
    return replace(entrant, name="x@2")


def test_bot_is_found_where_it_was_with_its_options(mine: Path) -> None:
    for options in ((), ("--depth", "3")):
        entrant = of_record(mine, *options)
        assert find_again(entrant, [], {}) == replace(
            parse_entrant(" ".join(["x=" + str(mine), *options]), {}), name="x@2"
        )


def test_bot_that_was_moved_or_changed_is_found_by_its_content_alone(
    mine: Path, tmp_path: Path
) -> None:
    entrant = of_record(mine)
    moved = tmp_path / "there" / "mine.py"
    moved.parent.mkdir()
    mine.rename(moved)
    assert find_again(entrant, [], {}) is None
    found = find_again(entrant, [str(moved)], {})
    assert found is not None
    assert (found.name, found.digest) == ("x@2", entrant.digest)
    assert found.program.files == (str(moved),)
    moved.write_text("# changed\n", encoding="utf-8")
    assert find_again(entrant, [str(moved)], {}) is None


def test_words_that_name_a_bot_are_taken_alone(mine: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text("# other\n", encoding="utf-8")
    entrant = of_record(mine)
    assert find_again(entrant, [str(other)], {}) is None
    assert find_again(entrant, [], {}) is not None


def test_needs_that_were_granted_when_it_played_are_granted_again(tmp_path: Path) -> None:
    team = tmp_path / "team"
    team.mkdir()
    (team / "bot.py").write_text("# mine\n", encoding="utf-8")
    needs = 'memory_mb = 3000\nprocesses = true\ntemporary_mb = 9\nnetwork = ["a.org:443"]\n'
    (team / "bot.toml").write_text(needs, encoding="utf-8")
    terms = Terms(processes=True, network=("a.org:443",))
    entrant = enter("team", [str(team)], {}, terms)
    assert find_again(entrant, [], {}) == entrant
    for less in (
        {"memory_mb": 2999},
        {"processes": False},
        {"temporary_mb": 8},
        {"network": ()},
    ):
        program = replace(entrant.program, **less)
        assert find_again(replace(entrant, program=program), [], {}) is None, less


@pytest.mark.parametrize("name", ["lent", "mine"])
def test_bundled_bot_is_found_by_its_name_or_that_of_its_file(mine: Path, name: str) -> None:
    bundled = {name: mine}
    entrant = replace(parse_entrant(name, bundled), name=name)
    gone = replace(
        entrant,
        program=replace(
            entrant.program, argv=("python", "/gone/mine.py"), files=("/gone/mine.py",)
        ),
    )
    assert find_again(gone, [], bundled) == entrant
    assert find_again(replace(gone, name="else"), [], {"other": mine}) is None


def test_bot_that_is_a_command_is_found_by_it() -> None:
    entrant = parse_entrant("x=echo hello", {})
    assert find_again(entrant, [], {}) == entrant
    assert find_again(replace(entrant, digest="0" * 64), [], {}) is None

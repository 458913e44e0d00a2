"""A block that is played here: what its record says of it, and where its bots' stderr goes."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena import Bot
from arena.checksums import with_checksum
from arena.isolation import Choice, Level
from arena.origin import Introduced
from arena.records import Block, Fixture, Settings, Termination
from arena.rules import preset
from arena.seeds import Seeds
from arena.tournament import play_here
from arena.tournament.block_task import Workplace

RULES = preset("ramesh-1")


class InOrder(Bot):
    """Shoots the cells in order."""

    name = "In order"
    author = "Ada"
    version = "7"

    def choose_shots(self, count: int) -> Sequence[int]:
        return self.untried[:count]


class Leaves(InOrder):
    """Is not there."""

    def __init__(self) -> None:
        raise OSError("gone")


def fixture(number: int, second: str | None) -> Fixture:
    return Fixture(str(number), "one", second, number, (number, number + 1))


@pytest.mark.parametrize("second", [None, "two"])
def test_record_says_who_played_in_this_process_and_introduced_itself(second: str | None) -> None:
    entrants = ("one",) if second is None else ("one", second)
    bots = dict.fromkeys(entrants, InOrder)
    play = play_here(RULES, Settings(), Seeds(1, RULES), bots, Choice(Level.NONE, ()))
    block = Block(entrants, 3, (fixture(0, second), fixture(1, second)))
    record = play(block)
    assert record.block == block
    assert [game.fixture for game in record.games] == list(block.fixtures)
    assert json.loads(record.isolation) == {
        "level": "none",
        "promises": {},
        "in_process": list(entrants),
    }
    assert record.origin is not None
    assert record.origin.introduced == dict.fromkeys(entrants, Introduced("In order", "Ada", "7"))
    assert record.voids == ()
    assert record == with_checksum(record)
    assert record.checksum


def test_bot_that_does_not_start_forfeits_and_has_not_introduced_itself() -> None:
    bots = {"one": InOrder, "two": Leaves}
    play = play_here(RULES, Settings(), Seeds(1, RULES), bots, Choice(Level.NONE, ()))
    record = play(Block(("one", "two"), 0, (fixture(0, "two"),)))
    assert [(game.forfeit, game.termination) for game in record.games] == [
        ("second", Termination.UNSTARTED)
    ]
    assert record.origin is not None
    assert list(record.origin.introduced) == ["one"]


def test_stderr_goes_to_a_file_by_pairing_block_and_bot(tmp_path: Path) -> None:
    block = Block(("one", "two"), 3, ())
    quiet = Workplace({}, Choice(Level.NONE, ()))
    assert quiet.log_files(block, "two") is None
    files = Workplace({}, Choice(Level.NONE, ()), tmp_path).log_files(block, "two")
    assert files is not None
    log = files.open()
    log.write(b"words")
    log.close()
    assert (tmp_path / "one+two" / "3-two.log").read_bytes() == b"words"

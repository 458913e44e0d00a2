"""Bots that could read what is kept of games are refused; what is to be played follows the kind."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.entrants import Entrant
from arena.errors import BotError
from arena.isolation import Level, Program
from arena.records import Settings
from arena.rules import preset
from arena.seeds import Seeds
from arena.store import Tournament
from arena.tournament import copied, make_plan, refuse_readers

if TYPE_CHECKING:
    from collections.abc import Mapping

RULES = preset("ramesh-1")


def reader(*grants: str) -> Entrant:
    return Entrant("mine", Program(("python", "mine.py"), "/", (), grants=grants), "ab" * 32)


@pytest.mark.parametrize("level", [Level.LITE, Level.SANDBOX])
@pytest.mark.parametrize(
    ("option", "what"), [("--db", "record"), ("--log", "--log"), ("TMPDIR", "TMPDIR")]
)
def test_bot_that_may_read_what_is_kept_is_refused_where_it_is_held_to_that(
    tmp_path: Path, level: Level, option: str, what: str
) -> None:
    kept: Mapping[str, Path | None] = {"--else": None, option: tmp_path / "kept" / "file"}
    told = (
        f"{what} {tmp_path / 'kept' / 'file'}: mine could read it, since it may read "
        f"{str(tmp_path)!r}; name another place with {option}, or take that out of the bot's TOML"
    )
    bots = [reader(str(tmp_path / "other")), reader(str(tmp_path))]
    with pytest.raises(BotError, match=f"^{re.escape(told)}$"):
        refuse_readers(bots, level, kept)
    refuse_readers(bots[:1], level, kept)
    refuse_readers(bots, Level.NONE, kept)


def test_who_does_not_play_reads_nothing(tmp_path: Path) -> None:
    gone = Entrant("gone", Program((), "/", (), grants=(str(tmp_path),)), "ab" * 32)
    refuse_readers([gone], Level.LITE, {"--db": tmp_path / "file"})


def test_bot_that_could_read_the_copies_of_others_is_refused() -> None:
    with copied([reader()], Level.LITE) as copies:
        folder = copies.folder
    with (
        pytest.raises(BotError, match=r"^TMPDIR /.*: mine could read it, since it may read '/"),
        copied([reader(str(folder.parent))], Level.LITE),
    ):
        pytest.fail("it was let in")


@pytest.mark.parametrize(
    ("given", "pairings"),
    [
        ({"kind": "tournament"}, (("a", "b"), ("a", "c"), ("b", "c"))),
        ({"kind": "match"}, (("a", "b"), ("a", "c"), ("b", "c"))),
        ({"kind": "tournament", "gauntlet": "b"}, (("a", "b"), ("b", "c"))),
        ({"kind": "solo"}, ()),
        ({"kind": "swiss"}, ()),
        ({"kind": "adaptive"}, ()),
    ],
)
def test_pairings_are_those_of_the_kind(
    given: dict[str, str], pairings: tuple[tuple[str, str], ...]
) -> None:
    tournament = Tournament(
        name="cup",
        rules=RULES,
        seed="5",
        settings=Settings(),
        entrants=tuple(Entrant(bot, Program((bot,), "/", ()), bot * 64) for bot in "cab"),
        block_pairs=7,
        **given,  # type: ignore[arg-type]
    )
    plan = make_plan(tournament, games=10, layouts=3)
    assert plan.pairings == pairings
    assert plan.soloists == ("a", "b", "c")
    assert (plan.pairs, plan.layouts, plan.block_pairs) == (5, 3, 7)
    assert (plan.tournament, plan.seeds) == ("cup", Seeds(5, RULES))

"""A bot's place is described with how sure it is."""

import pandas as pd
import pytest

from leaderboards import mean_turns
from leaderboards.inputs import LUCK_COLUMNS
from salvo.reports.words.confidence import describe_turns
from tests.leaderboards.turns.lucky_games import solo


@pytest.fixture(scope="module")
def games() -> pd.DataFrame:
    cheat = solo("cheat", mean_luck=-10, blocks=3)
    return pd.concat([solo("able", turns=60, blocks=3), solo("slow", turns=70, blocks=3), cheat])


def test_turns_alone_are_told_with_the_rank(games: pd.DataFrame) -> None:
    turns = mean_turns(games.drop(columns=list(LUCK_COLUMNS)).query("bot != 'cheat'"))
    assert describe_turns(turns, "able") == (
        "Alone it took 59.60 turns on average to sink the fleet, in 30 games: number 1 of 2."
    )


def test_what_is_adjusted_for_luck_is_told_beside(games: pd.DataFrame) -> None:
    told = describe_turns(mean_turns(games), "slow")
    assert "in 30 games, 70." in told
    assert told.endswith(" adjusted for luck: number 2 of 2.")


def test_luck_beyond_chance_gives_no_rank(games: pd.DataFrame) -> None:
    told = describe_turns(mean_turns(games), "cheat")
    assert told.endswith("in 30 games; chance cannot explain its luck, so it has no rank.")

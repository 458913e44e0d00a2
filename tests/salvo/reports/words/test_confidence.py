"""A bot's place is described with how sure it is."""

import math
import re

import pandas as pd
import pytest

from leaderboards import Verdict, mean_turns, rate
from leaderboards.elo.ratings import EloDifference
from leaderboards.inputs import LUCK_COLUMNS
from leaderboards.sprt import Answer, Hypotheses, State
from salvo.reports.words.confidence import (
    describe_rank,
    describe_turns,
    plain_test,
    plain_verdict,
)
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
    assert describe_turns(mean_turns(games), "slow") == (
        "Alone it took 69.60 turns on average to sink the fleet, in 30 games, 70.20 adjusted for "
        "luck: number 2 of 2."
    )


def test_luck_beyond_chance_gives_no_rank(games: pd.DataFrame) -> None:
    assert describe_turns(mean_turns(games), "cheat") == (
        "Alone it took 49.60 turns on average to sink the fleet, in 30 games; chance cannot "
        "explain its luck, so it has no rank."
    )


def test_one_game_alone_is_called_so() -> None:
    row = {"bot": "a", "games": 1, "mean_turns": 12.345, "rank": 1}
    assert describe_turns(pd.DataFrame([row]), "a") == (
        "Alone it took 12.35 turns on average to sink the fleet, in one game: number 1 of 1."
    )


def of_two(*results: str) -> pd.DataFrame:
    """Return games of a and b, who take the first seat in turn."""
    seats = [("a", "b"), ("b", "a")]
    rows = [(*seats[game % 2], result, game // 2) for game, result in enumerate(results)]
    table = pd.DataFrame(rows, columns=["first", "second", "result", "pair"])
    return table.assign(block=table["pair"] // 5, forfeit=None)


def test_rank_is_told_with_the_rating_and_how_sure_both_are() -> None:
    mixed = of_two(*(["first", "second"] * 3 + ["second", "first"]) * 10)
    ratings = rate(mixed, anchor=("b", 1000))
    told = describe_rank(ratings, "a")
    assert re.fullmatch(
        r"a is number 1 of 2 \(and no other, with 95% confidence\), "
        r"Elo 1\d\d\d \(95%: 1\d\d\d to 1\d\d\d\) by 80 games\.",
        told,
    )
    assert describe_rank(ratings, "b") == (
        "b is number 2 of 2 (and no other, with 95% confidence), Elo 1000 (fixed) by 80 games."
    )


def test_rank_that_is_undecided_is_a_span() -> None:
    told = describe_rank(rate(of_two("first")), "a")
    assert told.startswith("a is number 1 of 2 (may be 1 to 2), Elo ")
    assert told.endswith(" by one game.")
    few = describe_rank(rate(of_two("first", "first", "first", "second")), "b")
    assert "(too few games for an interval) by 4 games." in few


def test_who_won_or_lost_every_game_has_one_bound() -> None:
    ratings = rate(of_two("first", "second", "first", "second"))
    assert describe_rank(ratings, "a") == (
        "a is number 1 of 2 (may be 1 to 2), Elo 1774 (95%: at least 1312) by 4 games."
    )
    assert "(95%: at most 1688) by 4 games." in describe_rank(ratings, "b")


def verdict_of(low: float, high: float) -> Verdict:
    lead = EloDifference(12.345, low, high, 0.123456)
    return Verdict("a", "b", lead, False, 40, 33.333, 123.4)  # noqa: FBT003 - as it is made


def test_verdict_as_data_is_rounded_and_what_is_missing_is_none() -> None:
    told = plain_verdict(verdict_of(-math.inf, math.nan))
    assert (told["difference"], told["low"], told["high"]) == (12.3, None, None)
    assert (told["p_value"], told["detectable_elo"], told["games_needed"]) == (0.1235, 33.3, 123.0)
    assert str(plain_verdict(verdict_of(-0.01, 1))["low"]) == "0.0"  # and not -0.0


@pytest.mark.parametrize("answer", list(Answer))
def test_sequential_test_as_data_says_what_it_accepted(answer: Answer) -> None:
    state = State(30, 1.23456, 2.94444, answer, 0.123456)
    accepted = None if answer is Answer.GO_ON else answer.value
    assert plain_test(state, "a", "b", Hypotheses(0, 20)) == {
        "first": "a",
        "second": "b",
        "elo0": 0,
        "elo1": 20,
        "accepted": accepted,
        "pairs": 30,
        "log_likelihood_ratio": 1.235,
        "bound": 2.944,
        "score": 0.1235,
    }

"""Which bosses are beaten, with the error rates that are stated."""

import numpy as np
import pandas as pd
import pytest
import scipy

from leaderboards.bosses import ERROR, Step, answer, ladder

STUDENTS, BOSSES, GAMES = 30, 5, 100
CLASSES = 2000


@pytest.mark.parametrize(
    ("wins", "losses", "comparisons", "told"),
    [
        (0, 0, 1, "open"),
        (4, 0, 1, "open"),  # 1/16
        (5, 0, 1, "sure"),  # 1/32
        (0, 5, 1, "no"),
        (5, 0, 2, "likely"),
        (0, 5, 2, "open"),
        (58, 42, 150, "open"),
        (59, 41, 150, "likely"),
        (67, 33, 150, "likely"),
        (68, 32, 150, "sure"),
        (32, 68, 150, "no"),
    ],
)
def test_answer_is_that_of_the_sign_test(
    wins: int, losses: int, comparisons: int, told: str
) -> None:
    assert answer(wins, losses, comparisons) == told
    p_value = scipy.stats.binomtest(wins, max(1, wins + losses), 0.5, alternative="greater").pvalue
    assert (told == "sure") == (p_value * comparisons <= ERROR)
    assert (told in {"sure", "likely"}) == (p_value <= ERROR)


def test_ladder_counts_both_seats_and_no_other_games() -> None:
    games = pd.DataFrame(
        [
            ("ada", "boss", "first"),
            ("boss", "ada", "second"),
            ("boss", "ada", "draw"),
            ("ada", "boss", "second"),
            ("ada", "bob", "first"),
            ("other", "boss", "first"),
        ],
        columns=["first", "second", "result"],
    )
    ada, bob = ladder(games, ["ada", "bob"], ["boss"])
    assert (ada.bot, ada.boss, ada.games, ada.wins, ada.losses) == ("ada", "boss", 4, 2, 1)
    assert (bob.games, bob.wins, bob.losses, bob.beats) == (0, 0, 0, "open")


def test_ladder_compares_every_bot_with_every_boss() -> None:
    games = pd.DataFrame([("ada", "boss", "first")] * 7, columns=["first", "second", "result"])
    bosses = ["boss", "chief", "head"]
    # One in 128 by luck, of six comparisons and of nine.
    assert ladder(games, ["ada", "bob"], bosses)[0] == Step("ada", "boss", 7, 7, 0, "sure")
    steps = ladder(games, ["ada", "bob", "cy"], bosses)
    assert [step.beats for step in steps] == ["likely", *["open"] * 8]
    assert [(step.bot, step.boss) for step in steps[3:5]] == [("bob", "boss"), ("bob", "chief")]


def test_ladder_of_no_games_is_open() -> None:
    none = pd.DataFrame(columns=["first", "second", "result"])
    assert [step.beats for step in ladder(none, ["ada"], ["boss"])] == ["open"]
    assert ladder(none, [], ["boss"]) == []


def test_errors_are_as_rare_as_stated_and_better_bots_are_found() -> None:
    random = np.random.default_rng(1)
    comparisons = STUDENTS * BOSSES
    told = {wins: answer(wins, GAMES - wins, comparisons) for wins in range(GAMES + 1)}

    def shares(strength: float) -> tuple[float, float]:
        """Return how often a class has a bot that is called sure, and a comparison likely."""
        wins = random.binomial(GAMES, strength, (CLASSES, comparisons))
        sure = np.vectorize(lambda one: told[one] == "sure")(wins)
        likely = np.vectorize(lambda one: told[one] in {"sure", "likely"})(wins)
        return float(sure.any(axis=1).mean()), float(likely.mean())

    of_classes, of_comparisons = shares(0.5)
    assert of_classes <= ERROR
    assert of_comparisons <= ERROR
    # Who wins 80 of 100 is found nearly always, also among so many.
    assert np.mean([told[wins] == "sure" for wins in random.binomial(GAMES, 0.8, 1000)]) > 0.98

"""Verdicts of many fields are a file that can be read aloud, and never contradict the table."""

import itertools
import math
import random
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pandas as pd
import pytest
from scipy import special

from leaderboards import Ratings, mean_turns, rate
from leaderboards.display.field_verdicts import elo_verdict, turns_verdict
from tests.golden import compare

GOLDEN = Path(__file__).parent / "field_verdicts.txt"
NAMES = (
    *("ada", "bo", "cy", "dot", "eli", "fay", "gus", "hal", "ida", "jo"),
    *("kit", "lou", "max", "ned", "oz", "pam", "quin", "ray", "sue", "ted"),
    *("uma", "vic", "wes", "xena", "yan", "zoe", "abe", "bea", "cal", "dee"),
)


def games(
    elo: Mapping[str, float],
    *,
    blocks: int,
    seed: int = 1,
    pairs: int = 10,
    apart: Iterable[tuple[str, str]] = (),
) -> pd.DataFrame:
    """Return a round robin of bots so strong, but for those kept apart, in blocks of pairs."""
    chance = random.Random(seed)
    kept_apart = {frozenset(two) for two in apart}
    rows = []
    for one, other in itertools.combinations(sorted(elo), 2):
        if frozenset((one, other)) in kept_apart:
            continue
        for pair in range(blocks * pairs):
            for first, second in ((one, other), (other, one)):
                odds = 10 ** ((elo[first] - elo[second] + 60) / 400)
                result = "first" if chance.random() < odds / (1 + odds) else "second"
                rows.append((first, second, result, pair, pair // pairs))
    columns = ["first", "second", "result", "pair", "block"]
    return pd.DataFrame(rows, columns=columns).assign(forfeit=None)


def level(number: int) -> dict[str, float]:
    return dict.fromkeys(NAMES[:number], 0.0)


def steps(number: int, step: float) -> dict[str, float]:
    return {name: -step * place for place, name in enumerate(NAMES[:number])}


HOPELESS = -3000.0
CIRCLES = (*itertools.product(("ada", "bo", "cy"), ("dot", "eli")),)
COUPLES = tuple(zip(NAMES[0:10:2], NAMES[1:10:2], strict=True))
STRANGERS = set(itertools.combinations(NAMES[:10], 2)) - set(COUPLES)
FIELDS: dict[str, Callable[[], pd.DataFrame]] = {
    "2 bots, far apart": lambda: games(steps(2, 150), blocks=10),
    "2 bots, close": lambda: games(steps(2, 20), blocks=10),
    "2 bots, level after many games": lambda: games(level(2), blocks=40, seed=4),
    "2 bots, one of which won everything": lambda: games({"ada": 0, "bo": HOPELESS}, blocks=5),
    "2 bots, one pair of games": lambda: games(level(2), blocks=1, pairs=1),
    "3 bots, far apart": lambda: games(steps(3, 200), blocks=10),
    "4 bots, 60 games each, one lost them all": lambda: games(
        {**steps(3, 80), "dot": HOPELESS}, blocks=1
    ),
    "5 bots, everything decided": lambda: games(steps(5, 200), blocks=20),
    "5 bots, nothing decided": lambda: games(level(5), blocks=2),
    "5 bots, two of them far ahead": lambda: games(
        {"ada": 300, "bo": 290, "cy": 0, "dot": -20, "eli": -40}, blocks=10
    ),
    "5 bots, two of which lost everything else": lambda: games(
        {**steps(3, 100), "dot": HOPELESS, "eli": 2 * HOPELESS}, blocks=10
    ),
    "5 bots in two groups that never met": lambda: games(steps(5, 200), blocks=10, apart=CIRCLES),
    "10 bots in five couples that never met": lambda: games(
        steps(10, 200), blocks=5, apart=STRANGERS
    ),
    "10 bots, a usual field": lambda: games(steps(10, 60), blocks=1, seed=2),
    "10 bots, a usual field, ten times the games": lambda: games(steps(10, 60), blocks=10, seed=2),
    "10 bots, one surely best, the others close": lambda: games(
        {**level(10), "ada": 400}, blocks=3
    ),
    "10 bots, the first three close, the last hopeless": lambda: games(
        {**steps(10, 150), "bo": 0, "cy": -10, "jo": HOPELESS}, blocks=5
    ),
    "10 level bots": lambda: games(level(10), blocks=2),
    "30 bots, spread wide": lambda: games(steps(30, 40), blocks=1),
    "30 bots, spread wide, few games": lambda: games(steps(30, 40), blocks=1, pairs=1),
    "30 level bots": lambda: games(level(30), blocks=1, pairs=2),
}


def searches(means: Mapping[str, float], *, layouts: int, seed: int = 1) -> pd.DataFrame:
    """Return solo games of bots that need so many turns on average, on layouts of their own."""
    chance = random.Random(seed)
    rows = [
        (bot, place * layouts + number, max(1, round(chance.gauss(mean, 2))))
        for place, (bot, mean) in enumerate(means.items())
        for number in range(layouts)
    ]
    table = pd.DataFrame(rows, columns=["bot", "layout", "turns"])
    return table.assign(shots=5 * table["turns"], hits=5, forfeit=False)


SEARCHES = {
    "alone: 2 bots, far apart": searches({"ada": 10, "bo": 14}, layouts=50),
    "alone: 2 bots, close": searches({"ada": 10, "bo": 10.2}, layouts=50),
    "alone: 5 bots, everything decided": searches(
        {name: 8 + 3 * place for place, name in enumerate(NAMES[:5])}, layouts=100
    ),
    "alone: 10 bots, the first ones close": searches(
        {name: 10 + 0.1 * place**2 for place, name in enumerate(NAMES[:10])}, layouts=100
    ),
}


@pytest.fixture(scope="module")
def rated() -> dict[str, Ratings]:
    return {what: rate(field()) for what, field in FIELDS.items()}


@pytest.fixture(scope="module")
def told(rated: dict[str, Ratings]) -> dict[str, list[str]]:
    elo = {what: elo_verdict(ratings) for what, ratings in rated.items()}
    return elo | {what: turns_verdict(mean_turns(table)) for what, table in SEARCHES.items()}


def test_verdicts_read_as_they_did(told: dict[str, list[str]]) -> None:
    text = "\n".join(f"{what}:\n" + "".join(f"  {line}\n" for line in told[what]) for what in told)
    compare(text, GOLDEN)


@pytest.mark.parametrize("what", [*FIELDS, *SEARCHES])
def test_a_verdict_has_two_to_four_lines(told: dict[str, list[str]], what: str) -> None:
    assert 2 <= len(told[what]) <= 4


@pytest.mark.parametrize("what", FIELDS)
def test_a_verdict_says_what_the_ranks_say(
    rated: dict[str, Ratings], told: dict[str, list[str]], what: str
) -> None:
    table = rated[what].table
    group = table[table["group"] == 1]
    first = group.loc[group["best_rank"] == 1, "bot"].tolist()
    last = group.loc[group["worst_rank"] == len(group), "bot"].tolist()
    verdict = told[what]
    words = " ".join(verdict)
    if len(first) == 1:
        assert group["worst_rank"].tolist()[0] == 1
        assert f"{first[0]} is the best" in words or f"{first[0]} is better than" in words
    else:
        assert "is the best" not in verdict[0]
        assert len(first) > 4 or len(group) == 2 or all(bot in verdict[0] for bot in first)
    assert (f"{last[0]} is last" in words) == (len(last) == 1 and len(table) == len(group) > 2)
    assert ("Every place is decided." in words) == (
        bool((group["best_rank"] == group["worst_rank"]).all()) and len(table) == len(group) > 2
    )


def searched(ranks: Iterable[tuple[int, int, int]], times: Iterable[float]) -> pd.DataFrame:
    """Return mean turns of fifty layouts a bot: a rank, the best and the worst of each.

    So many times as many layouts would probably show that the other bots are a turn slower than the
    first.
    """
    rows = list(ranks)
    pairs = len(rows) * (len(rows) - 1)
    reach = special.ndtri(1 - 0.05 / pairs) + special.ndtri(0.8)
    half = [0.0, *(math.sqrt(one) / reach * special.ndtri(0.975) for one in times)]
    table = pd.DataFrame(rows, columns=["rank", "best_rank", "worst_rank"])
    mean = [10.0] + [11.0] * (len(rows) - 1)
    low, high = (
        [one + sign * off for one, off in zip(mean, half, strict=True)] for sign in (-1, 1)
    )
    return table.assign(
        bot=NAMES[: len(rows)], mean_turns=mean, turns_low=low, turns_high=high, games=50
    )


DECIDED = "Every place is decided."
UNSURE = "it is undecided which is better, ada or bo."
OPEN = "nothing is decided yet: {} lead{}, but any of the {} bots may be the best."
CLOSE = "{} are so close that even 100 times as many layouts would hardly tell them apart."
MORE = "If they are as far apart as they look, {} would {}."
BEST = "show who is best"


@pytest.mark.parametrize(
    ("ranks", "times", "told"),
    [
        ([(1, 1, 1), (2, 2, 2)], [1], ["ada is better than bo (95% confidence).", DECIDED]),
        ([(1, 1, 2), (2, 1, 2)], [1.49], [UNSURE, MORE.format("a few more layouts a bot", BEST)]),
        (
            [(1, 1, 2), (2, 1, 2)],
            [1.51],
            [UNSURE, MORE.format("about 76 layouts a bot instead of 50", BEST)],
        ),
        (
            [(1, 1, 2), (2, 1, 2)],
            [99.9],
            [UNSURE, MORE.format("about 5,000 layouts a bot instead of 50", BEST)],
        ),
        ([(1, 1, 2), (2, 1, 2)], [100.1], [UNSURE, CLOSE.format("ada and bo")]),
        (
            [(1, 1, 2), (2, 1, 2)],
            [math.nan],
            [UNSURE, "There are too few layouts to say how many more would decide it."],
        ),
        (
            [(1, 1, 3), (2, 1, 3), (3, 1, 3)],
            [math.nan, 3.9],
            [
                OPEN.format("ada", "s", 3),
                MORE.format("about 200 layouts a bot instead of 50", BEST),
            ],
        ),
        (
            [*[(1, 1, 5)] * 4, (5, 1, 5)],
            [3.9, 8.9, 8.9, 8.9],
            [
                OPEN.format("ada, bo, cy and dot", "", 5),
                MORE.format("about 450 layouts a bot instead of 50", BEST),
            ],
        ),
        (
            [*[(1, 1, 6)] * 5, (6, 1, 6)],
            [400, 400, 400, 400, 2.1],
            [
                OPEN.format("5 bots", "", 6),
                MORE.format(
                    "about 110 layouts a bot instead of 50",
                    "leave only 5 of them in the running",
                ),
            ],
        ),
        (
            [(1, 1, 5), *[(2, 1, 5)] * 4],
            [400, 89, 400, 400],
            [
                OPEN.format("ada", "s", 5),
                MORE.format(
                    "about 4,500 layouts a bot instead of 50",
                    "leave only ada, bo, dot and eli in the running",
                ),
            ],
        ),
        (
            [(1, 1, 4), *[(2, 1, 4)] * 3],
            [400] * 3,
            [OPEN.format("ada", "s", 4), CLOSE.format("ada, bo, cy and dot")],
        ),
        (
            [(1, 1, 5), *[(2, 1, 5)] * 4],
            [400] * 4,
            [OPEN.format("ada", "s", 5), CLOSE.format("They")],
        ),
        (
            [(1, 1, 4), *[(2, 1, 4)] * 3, *[(5, 5, 6)] * 2],
            [3.9, 8.9, 8.9, 8.9, 8.9],
            [
                "the best is ada, bo, cy or dot (95% confidence); these games do not say which.",
                "Last is eli or fay.",
                MORE.format("about 450 layouts a bot instead of 50", BEST),
            ],
        ),
        (
            [(1, 1, 5), *[(2, 1, 5)] * 4, (6, 6, 6)],
            [3.9, 8.9, 8.9, 8.9, 8.9],
            [
                "ada leads, but 5 of the 6 bots may be the best (95% confidence).",
                "fay is last.",
                MORE.format("about 450 layouts a bot instead of 50", BEST),
            ],
        ),
        (
            [(1, 1, 1), *[(2, 2, 5)] * 4],
            [3.9] * 4,
            [
                "ada is the best of the 5 bots (95% confidence).",
                "Last is bo, cy, dot or eli.",
                "Place 2 is open between bo, cy, dot and eli.",
                CLOSE.format("bo, cy, dot and eli"),
            ],
        ),
        (
            [(1, 1, 1), *[(2, 2, 6)] * 5],
            [3.9] * 5,
            [
                "ada is the best of the 6 bots (95% confidence).",
                "Place 2 is open between 5 bots.",
                CLOSE.format("They"),
            ],
        ),
    ],
)
def test_verdict_on_bots_that_search_alone(
    ranks: list[tuple[int, int, int]], times: list[float], told: list[str]
) -> None:
    assert turns_verdict(searched(ranks, times)) == [f"In solo games, {told[0]}", *told[1:]]


def test_bots_without_a_rank_are_not_compared() -> None:
    turns = searched([(1, 1, 1), (2, 2, 2), (3, 3, 3)], [1, 1])
    turns.loc[2, ["rank", "best_rank", "worst_rank"]] = None
    assert turns_verdict(turns)[0] == "In solo games, ada is better than bo (95% confidence)."
    turns.loc[1, ["rank", "best_rank", "worst_rank"]] = None
    assert turns_verdict(turns) == []


def test_nobody_played_has_no_verdict() -> None:
    assert elo_verdict(rate(pd.DataFrame())) == turns_verdict(mean_turns(pd.DataFrame())) == []

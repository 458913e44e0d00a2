"""Ratings of small fields with every number that is computed of them, each in a file.

The same games have the same ratings until a version says otherwise: see CONTRIBUTING.
"""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from leaderboards import Ratings, rate
from tests.golden import compare
from tests.leaderboards.told_games import LIFTED, SWAPS, games, ladder

MOVED = ("moved", "moved_low", "moved_high")
GOLDEN = Path(__file__).parent / "ratings_in_full"


def round_robin(number: int, pairs: int, step: float, *, draws: float = 0.0) -> pd.DataFrame:
    """Return pairs of games of many bots, each so many nats weaker than the one before."""
    names = [f"bot{place:02d}" for place in range(number)]
    source = np.random.default_rng(3)
    rows = []
    for one, other in itertools.combinations(range(number), 2):
        for pair in range(pairs):
            for first, second in ((one, other), (other, one)):
                odds = np.exp((second - first) * step + 0.2)
                result = "first" if source.random() < odds / (1 + odds) else "second"
                result = "draw" if source.random() < draws else result
                rows.append((names[first], names[second], result, pair))
    columns = ["first", "second", "result", "pair"]
    return pd.DataFrame(rows, columns=columns).assign(forfeit=None)


def apart(table: pd.DataFrame) -> pd.DataFrame:
    return table.drop(columns="pair")


EVEN = {"ada bo": "+-+++--+" * 2, "bo cy": "+-+-++-+" * 2, "ada cy": "+++-+-+-" * 2}
CIRCLE = {"rock saw": "++" * 36 + "-+" * 9, "saw web": "++" * 40, "web rock": "++" * 39 + "+-"}
CHAIN = {"ada bo": "+++", "bo cy": "++++", "ada cy": "++"}
TWO_LEVELS = {
    **dict.fromkeys(("ada bo", "yan zoe"), "++-+" * 4),
    **dict.fromkeys(("ada yan", "ada zoe", "bo yan", "bo zoe"), "++++"),
}
ENDS = {
    "bo cy": "+--+" * 6 + "++" * 3,
    **dict.fromkeys(("ada bo", "ada cy", "bo dot", "cy dot", "ada dot", "dot eli"), "++" * 5),
}
SEATS = {"ada bo": "+-" * 30 + "-+" * 2, "ada cy": "-+" * 30 + "++" * 3, "bo cy": "+-" * 28 + "++"}
LEARNING = {"ada bo": "--" * 5 + "+-" * 5 + "++" * 10, "bo cy": "++" * 10 + "-+" * 10}


FIELDS: dict[str, Callable[[], Ratings]] = {
    "two bots, one game": lambda: rate(games({"ada bo": "+"})),
    "two bots, two wins each": lambda: rate(games({"ada bo": "+-+-"})),
    "two bots, pairs that agree": lambda: rate(games({"ada bo": "++" * 9 + "--" * 6})),
    "two bots, pairs that cancel": lambda: rate(games({"ada bo": "+-" * 12 + "++" * 3})),
    "two bots, a thousand pairs that cancel": lambda: rate(games({"ada bo": "+--+" * 500})),
    "two bots, each game by itself": lambda: rate(apart(games({"ada bo": "+" * 19 + "-" * 11}))),
    "two bots that drew everything": lambda: rate(games({"ada bo": "====="})),
    "two bots, most games drawn": lambda: rate(games({"ada bo": "=+=-=+==" * 3})),
    "two bots, in blocks of three pairs": lambda: rate(
        games({"ada bo": "+-+++-" * 3 + "+-----" * 2}, a_block=3)
    ),
    "two bots, in blocks that are opposed": lambda: rate(games({"ada bo": "+-" * 12}, a_block=2)),
    "two bots, in one block": lambda: rate(games({"ada bo": "+-++++--+"}, a_block=9)),
    "two bots, one of which won everything": lambda: rate(games({"ada bo": "++" * 15})),
    "two bots after a look": lambda: rate(games({"ada bo": "++-++=" * 6}), extended=True),
    "three bots that drew and forfeited": lambda: rate(games(SWAPS)),
    "three bots, the second of three looks": lambda: rate(games(SWAPS), looks=3),
    "three bots after a look": lambda: rate(games(SWAPS), extended=True),
    "three bots with a strong prior": lambda: rate(games(SWAPS), prior=3.0),
    "three bots without a prior": lambda: rate(games(SWAPS), prior=None),
    "three bots in blocks of two pairs": lambda: rate(games(SWAPS, a_block=2)),
    "three bots in blocks of four pairs": lambda: rate(games(LEARNING, a_block=5)),
    "three bots in a block each": lambda: rate(games(SWAPS, a_block=9)),
    "best and worst, in a block each": lambda: rate(games(ENDS, a_block=99)),
    "three bots with bo at 1800": lambda: rate(games(SWAPS), anchor=("bo", 1800)),
    "three bots that are even": lambda: rate(games(EVEN)),
    "three bots of which each always beats the next": lambda: rate(games(CHAIN)),
    "three bots of which each always beats the next, without a prior": lambda: rate(
        games(CHAIN), prior=None
    ),
    "three bots in a circle": lambda: rate(games(CIRCLE)),
    "three bots in a circle, in blocks of nine pairs": lambda: rate(games(CIRCLE, a_block=9)),
    "three bots for which seats differ in worth": lambda: rate(games(SEATS)),
    "three bots that draw much": lambda: rate(games(dict.fromkeys(EVEN, "=+==-=+" * 4))),
    "two levels of bots that rest on the prior": lambda: rate(games(TWO_LEVELS)),
    "two levels of bots without a prior, with bo at 1000": lambda: rate(
        games(TWO_LEVELS), prior=None, anchor=("bo", 1000)
    ),
    "best and worst, and one that lost to the worst": lambda: rate(games(ENDS)),
    "best and worst, with cy at 2000": lambda: rate(games(ENDS), anchor=("cy", 2000)),
    "best and worst, without a prior": lambda: rate(games(ENDS), prior=None),
    "two couples and an anchor that won everything": lambda: rate(
        games({"ada bo": "+-+-++=+", "cy dot": "++"}), anchor=("cy", 1600)
    ),
    "two couples and an anchor": lambda: rate(
        games({"ada bo": "+-+-++=+", "cy dot": "++-+"}), anchor=("dot", 1600), extended=True
    ),
    "a bot that another lets win": lambda: rate(games(LIFTED)),
    "a bot that another lets win, in blocks of four pairs": lambda: rate(games(LIFTED, a_block=4)),
    "eight bots, each a little better than the next": lambda: rate(games(ladder(8, 20))),
    "a group of six that won in turn and one of five": lambda: rate(
        games(
            {
                **{f"a{place} a{place + 1}": "+-++" for place in range(5)},
                **{f"b{place} b{place + 1}": "++-+-+" for place in range(4)},
            }
        )
    ),
    "six bots without a finite rating": lambda: rate(
        games({f"a{place} a{place + 1}": "++" for place in range(5)}), prior=None
    ),
    "sixteen bots, a few games": lambda: rate(round_robin(16, 1, 0.2)),
    "thirty-eight bots, some games drawn": lambda: rate(round_robin(38, 2, 0.3, draws=0.1)),
}


def number(value: float) -> str:
    digits = 2 if abs(value) < 3000 else -2  # limits so far off are hard to compute
    return f"{round(value, digits) + 0.0:.2f}"


def span(value: float, low: float, high: float) -> str:
    return f"{number(value)} ({number(low)} to {number(high)})"


def told(ratings: Ratings) -> Iterator[str]:
    """Yield the numbers of ratings, line by line."""
    table, seat = ratings.table, ratings.first_seat
    if seat is not None:
        yield f"first seat {span(seat.value, seat.low, seat.high)}"
    if ratings.anchor is not None:
        yield f"anchor {ratings.anchor}"
    shown = {name: table[name].map(number) for name in ("elo", "low", "high")}
    yield table.assign(**shown).round(5).to_csv(index=False, lineterminator="\n")
    names = table["bot"].tolist()
    few = len(names) <= 8
    for bot, other in (
        itertools.combinations(names, 2) if few else zip(names, names[4:], strict=False)
    ):
        lead, at_once = (ratings.difference(bot, other, at_once=both) for both in (False, True))
        needed, covariance = ratings.needed_errors(bot, other), ratings.covariance.loc[bot]
        yield (
            f"{bot} - {other}: {span(lead.value, lead.low, lead.high)}, "
            f"at once {span(at_once.value, at_once.low, at_once.high)}, p {lead.p_value:.3g}, "
            f"{'sure' if ratings.sure.loc[bot, other] else 'open'} beyond {needed:.4f} errors, "
            f"as a deviate {ratings.normal_deviate(needed):.4f}; "
            f"variance {number(covariance[bot])}, covariance {number(covariance[other])}"
        )
    if few:
        yield ""
        moved = {name: ratings.pairings[name].map(number) for name in MOVED}
        yield ratings.pairings.assign(**moved).round(4).to_csv(index=False, lineterminator="\n")
    yield from ratings.warnings


def file_of(what: str) -> Path:
    return GOLDEN / f"{what.replace(', ', '-').replace(' ', '_')}.txt"


@pytest.mark.parametrize("what", FIELDS)
def test_numbers_of_ratings_are_what_they_were(what: str) -> None:
    lines = "".join(f"{line}\n" for line in told(FIELDS[what]()))
    compare(lines, file_of(what))


def test_no_file_is_left_of_a_field_that_is_gone() -> None:
    assert set(GOLDEN.iterdir()) == set(map(file_of, FIELDS))

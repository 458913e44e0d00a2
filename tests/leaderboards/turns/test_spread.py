"""The spread of the shots of solo games has bins that end with the games, and quartiles."""

import numpy as np
import pandas as pd
import pytest

from leaderboards import mean_turns
from leaderboards.display import figures
from leaderboards.display.palette import styles
from leaderboards.turns.spread import Spread, spread_cells, spreads


def games(shots: list[int], a_turn: int) -> pd.DataFrame:
    rows = [("a", layout, -(-n // a_turn), n, 17, False) for layout, n in enumerate(shots)]
    return pd.DataFrame(rows, columns=["bot", "layout", "turns", "shots", "hits", "forfeit"])


def spread(shots: list[int], a_turn: int = 1) -> Spread:
    [found] = spreads(games(shots, a_turn), ["a"])
    return found


@pytest.mark.parametrize(
    ("shots", "a_turn", "width"),
    [
        ([35, 40, 60, 100], 5, 5),
        ([33, 36, 60, 100], 3, 3),
        ([30, 31, 90], 1, 3),
        ([40, 41, 55], 1, 1),
        ([40], 1, 1),
        ([40, 40], 5, 5),
        ([17, 18, 45], 1, 1),
        ([17, 18, 46], 1, 2),  # no more than 28 bins, of shots that lie so far apart
        ([30, 60, 65], 10, 10),
        ([20, 40, 50], 20, 20),
        ([18, 30, 102], 3, 3),
        ([18, 30, 103], 3, 6),
    ],
)
def test_bins_are_whole_turns_and_not_too_many(shots: list[int], a_turn: int, width: int) -> None:
    assert spread(shots, a_turn).width == width


def test_nothing_is_drawn_where_no_game_was() -> None:
    shots = [35, 40, 40, 60, 100]
    found = spread(shots, 5)
    figure = figures.shots_figure(games(shots, 5), mean_turns(games(shots, 5)), styles(["a"]))
    outline = figure.data[0]
    assert (min(outline.x), max(outline.x)) == (30.5, 100.5)
    high = {
        start: share
        for start, share in zip(found.starts.tolist(), found.shares.tolist(), strict=True)
        if share
    }
    assert high == {31: 0.2, 36: 0.4, 56: 0.2, 96: 0.2}


def test_every_game_is_in_a_bin() -> None:
    shots = np.random.default_rng(1).integers(17, 101, 500).tolist()
    assert spread(shots).shares.sum() == pytest.approx(1)


def test_bins_end_with_whole_turns_and_hold_their_shares() -> None:
    found = spread([17, 18, 19, 22, 46])
    assert found.starts.tolist() == list(range(17, 46, 2))
    assert found.shares.tolist() == [0.4, 0.2, 0.2, *[0] * 11, 0.2]
    assert found.quartiles == (17, 18, 19, 22, 46)


def test_bots_have_bins_of_one_width() -> None:
    table = pd.concat([games([17, 18], 1), games([46], 1).assign(bot="b")])
    assert [(one.bot, one.width) for one in spreads(table, ["b", "a"])] == [("b", 2), ("a", 2)]


def test_quartiles_stand_beside_the_figure() -> None:
    assert spread_cells([spread([20, 30, 40, 50, 60])]) == [
        {
            "bot": "a",
            "fewest": "20",
            "a quarter took up to": "30",
            "half took up to": "40",
            "three quarters took up to": "50",
            "most": "60",
        }
    ]

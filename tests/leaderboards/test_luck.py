import numpy as np
import pandas as pd
import pytest
from scipy import stats

from leaderboards import LeaderboardError, mean_turns, tables
from leaderboards.luck import block_mean
from leaderboards.plain import plain_leaderboards

BLOCKS, SIZE = 20, 10


def solo(
    bot: str = "ace", *, mean_luck: float = 0, seed: int = 1, blocks: int = BLOCKS
) -> pd.DataFrame:
    """Games in which most of what varies is luck; those of a block are alike in what is not."""
    generator = np.random.default_rng(seed)
    layouts = np.arange(blocks * SIZE)
    block = layouts // SIZE
    luck = generator.normal(mean_luck, 8, len(layouts))
    skill = generator.normal(0, 1, blocks)[block] + generator.normal(0, 1, len(layouts))
    turns = np.clip(np.round(60 + luck + skill), 17, 100).astype(int)
    return pd.DataFrame(
        {
            "bot": bot,
            "layout": layouts,
            "turns": turns,
            "shots": turns * 2,
            "hits": 17,
            "forfeit": False,
            "luck": luck,
            "luck_shots": luck * 2,
            "block": block,
        }
    )


def test_adjusted_mean_is_the_mean_less_the_mean_luck() -> None:
    games = solo()
    row = mean_turns(games).iloc[0]
    assert row["adjusted_turns"] == pytest.approx((games["turns"] - games["luck"]).mean())
    assert row["adjusted_shots"] == pytest.approx(2 * row["adjusted_turns"])


def test_adjusted_interval_is_students_over_blocks() -> None:
    games = solo()
    row = mean_turns(games).iloc[0]
    means = (games["turns"] - games["luck"]).groupby(games["block"]).mean()
    half = stats.t.ppf(0.975, BLOCKS - 1) * means.std() / BLOCKS**0.5
    assert row["adjusted_turns_high"] - row["adjusted_turns"] == pytest.approx(half)
    assert row["adjusted_turns"] - row["adjusted_turns_low"] == pytest.approx(half)


def test_adjusted_interval_is_narrower() -> None:
    row = mean_turns(solo()).iloc[0]
    width = row["turns_high"] - row["turns_low"]
    assert row["adjusted_turns_high"] - row["adjusted_turns_low"] < width / 2


def test_one_block_has_no_adjusted_interval() -> None:
    row = mean_turns(solo(blocks=1)).iloc[0]
    assert row["adjusted_turns"] > 0
    assert np.isnan(row["adjusted_turns_low"])


def test_adjusted_intervals_hold_the_truth_as_often_as_they_say() -> None:
    generator = np.random.default_rng(1)
    blocks = np.repeat(np.arange(BLOCKS, dtype=float), SIZE)
    held = []
    for _ in range(1000):
        alike = generator.normal(0, 1, BLOCKS).repeat(SIZE)
        mean = block_mean(alike + generator.normal(0, 1, len(blocks)), blocks)
        held.append(mean.low <= 0 <= mean.high)
    assert 0.93 < np.mean(held) < 0.97


def test_luck_too_good_for_chance_withholds_the_adjusted_mean() -> None:
    games = pd.concat([solo(), solo("cheat", mean_luck=-10)])
    table = mean_turns(games).set_index("bot")
    assert table.loc["cheat", "withheld"]
    assert np.isnan(table.loc["cheat", "adjusted_turns"])
    assert table.loc["cheat", "luck_errors"] < -4
    assert not table.loc["ace", "withheld"]


def test_who_is_withheld_is_named_below_the_table() -> None:
    text = tables.turns_text(mean_turns(pd.concat([solo(), solo("cheat", mean_luck=-10)])))
    assert "Withheld: cheat." in text
    assert "withheld" in text.splitlines()[2] + text.splitlines()[3]


def test_two_games_are_too_few_to_withhold() -> None:
    games = solo().iloc[:2].assign(luck=[-10.0, -9.0])
    assert not mean_turns(games).iloc[0]["withheld"]


def test_bots_with_games_of_unknown_luck_have_no_adjusted_mean() -> None:
    games = solo()
    games.loc[3, ["luck", "luck_shots"]] = np.nan
    row = mean_turns(games).iloc[0]
    assert np.isnan(row["adjusted_turns"])
    assert not row["withheld"]


def test_tables_without_luck_have_no_adjusted_columns() -> None:
    table = mean_turns(solo().drop(columns=["luck", "luck_shots", "block"]))
    assert "adjusted_turns" not in table
    assert "adjusted" not in tables.turns_text(table)


def test_plain_data_has_the_adjusted_means_to_three_decimals() -> None:
    plain = plain_leaderboards(None, mean_turns(solo()))["turns"]
    assert isinstance(plain, list)
    assert plain[0]["adjusted_shots"] == round(float(plain[0]["adjusted_shots"] or 0), 3)
    assert plain[0]["withheld"] is False
    assert {"adjusted_low", "adjusted_high"} <= plain[0].keys()


@pytest.mark.parametrize("column", ["luck_shots", "block"])
def test_luck_without_its_other_columns_is_refused(column: str) -> None:
    with pytest.raises(LeaderboardError, match=f"the column '{column}' is missing"):
        mean_turns(solo().drop(columns=column))


def test_infinite_luck_is_refused() -> None:
    with pytest.raises(LeaderboardError, match="'luck' must hold finite numbers"):
        mean_turns(solo().assign(luck=np.inf))

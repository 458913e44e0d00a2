import numpy as np
import pandas as pd
import pytest
import scipy

from leaderboards import LeaderboardError, mean_turns, paired_difference
from leaderboards.display.cells import turns_cells
from leaderboards.display.field_verdicts import turns_verdict
from leaderboards.display.formatted_tables import (
    leaderboard_csv,
    leaderboard_text,
    shown_leaderboard,
)
from leaderboards.display.interval_charts import turns_figure
from leaderboards.display.palette import styles
from leaderboards.display.plain import plain_leaderboards, plain_rows
from leaderboards.inputs import LUCK_COLUMNS, SOLO_COLUMNS
from leaderboards.turns.adjusted_means import less_luck, slopes
from leaderboards.turns.means import mean_limits
from tests.leaderboards.turns.lucky_games import BLOCKS, SIZE, solo

PLAYED = (*SOLO_COLUMNS, *LUCK_COLUMNS)
"""The columns without those of e-values."""


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0, 1.5])
def test_as_much_of_the_luck_goes_as_turns_follow(share: float) -> None:
    adjusted = less_luck(solo(share=share), "turns")
    assert adjusted["beta"].to_numpy() == pytest.approx(share, abs=0.05)
    assert adjusted["number"].std() < 2
    assert mean_turns(solo(share=share))["adjusted_turns"][0] == pytest.approx(60, abs=0.7)


def test_slope_is_that_of_the_games_of_other_blocks() -> None:
    games = solo(blocks=5)
    beta = less_luck(games, "turns")["beta"]
    for block in range(5):
        others = games[games["block"] != block]
        [slope, _] = np.polyfit(others["luck"], others["turns"], 1)
        assert beta[games["block"] == block].tolist() == pytest.approx([slope] * SIZE, rel=0.01)


@pytest.mark.parametrize("noise", [0.3, 3.0, 12.0])
def test_slope_is_shrunk_by_four_over_its_t_squared(noise: float) -> None:
    generator = np.random.default_rng(2)
    blocks = np.repeat([4, 9, 6], [3, 6, 8])
    luck = generator.normal(0, 2, len(blocks))
    numbers = 50 + luck + generator.normal(0, noise, len(blocks))
    found = slopes(numbers, luck, blocks)
    for block in (4, 9, 6):
        own = blocks == block
        line = scipy.stats.linregress(luck[~own], numbers[~own])
        expected = line.slope * max(0, 1 - 4 * line.stderr**2 / line.slope**2)
        assert found[own] == pytest.approx(np.full(own.sum(), expected))


def test_slope_does_not_depend_on_the_unit_of_luck() -> None:
    luck, blocks = np.arange(16.0), np.repeat([0, 1], 8)
    numbers = 2 * luck + np.tile([0.1, -0.1], 8)
    in_thousands = slopes(numbers, luck / 1000, blocks)
    assert in_thousands == pytest.approx(1000 * slopes(numbers, luck, blocks))
    assert in_thousands.all()


def test_no_slope_is_that_of_fewer_than_eight_games_or_of_luck_that_never_varies() -> None:
    luck = np.arange(16.0)
    numbers = 2 * luck + np.tile([0.1, -0.1], 8)
    blocks = np.repeat([0, 1], 8)
    assert slopes(numbers, luck, blocks) == pytest.approx(np.full(16, 2.0), rel=0.02)
    beta = slopes(numbers[1:], luck[1:], blocks[1:])
    assert beta[:7] == pytest.approx(np.full(7, 2.0), rel=0.02)
    assert beta[7:].tolist() == [0.0] * 8
    assert not slopes(numbers, np.ones(16), blocks).any()


def test_mean_is_unbiased_of_a_few_small_blocks_of_different_sizes() -> None:
    generator = np.random.default_rng(1)
    blocks = np.repeat([0, 1, 2], [2, 3, 6])
    luck = generator.exponential(1, (8_000, len(blocks))) - 1
    turns = luck + luck**2 + generator.normal(0, 1, luck.shape)
    truth = 1.0  # the mean of the squares
    off = [
        (own - slopes(own, lucky, blocks) * lucky).mean() - truth
        for own, lucky in zip(turns, luck, strict=True)
    ]
    assert abs(np.mean(off)) < 4 * np.std(off) / len(off) ** 0.5


@pytest.mark.parametrize(
    ("blocks", "size", "share"), [(1, 20, 1.0), (2, 50, 0.0), (2, 50, 1.0), (10, 50, 0.1)]
)
def test_intervals_hold_and_are_no_wider_than_plain_ones(
    blocks: int, size: int, share: float
) -> None:
    generator = np.random.default_rng(1)
    place = np.repeat(np.arange(blocks), size)
    held, widths = [], []
    for _ in range(1000):
        luck = generator.normal(0, 3, blocks * size)
        turns = share * luck + generator.normal(0, 1, len(luck))
        beta = slopes(turns, luck, place)
        _, low, high = mean_limits(turns - beta * luck, blocks=place)
        _, plain_low, plain_high = mean_limits(turns)
        held.append(low <= 0 <= high)
        widths.append((high - low) / (plain_high - plain_low))
    assert 0.93 < np.mean(held) < 0.97
    assert np.mean(widths) < (0.4 if share == 1 and blocks > 1 else 1.02)


def test_blocks_that_are_alike_widen_the_interval() -> None:
    generator = np.random.default_rng(1)
    place = np.repeat(np.arange(BLOCKS), SIZE)
    held = []
    for _ in range(1000):
        values = generator.normal(0, 0.5, BLOCKS)[place] + generator.normal(0, 1, len(place))
        _, low, high = mean_limits(values, blocks=place)
        held.append(low <= 0 <= high)
    # As independent numbers they would hold in 75%.
    assert 0.9 < np.mean(held) < 0.97


def test_one_block_has_the_plain_mean_and_its_interval() -> None:
    row = mean_turns(solo(blocks=1)).iloc[0]
    for adjusted, plain in (("turns", "mean_turns"), ("turns_low", "turns_low")):
        assert row[f"adjusted_{adjusted}"] == pytest.approx(row[plain])
    assert row["adjusted_high"] == pytest.approx(row["shots_high"])


def test_blocks_with_a_layout_in_common_are_one() -> None:
    games = solo(blocks=2)
    games.loc[SIZE, "layout"] = 0
    assert not less_luck(games, "turns")["beta"].any()
    assert len(less_luck(games, "turns")) == 2 * SIZE - 1


def test_games_of_unknown_luck_count_as_they_are() -> None:
    games = solo()
    games.loc[3, ["luck", "luck_shots"]] = np.nan
    adjusted = less_luck(games, "turns")["number"]
    assert adjusted[3] == games["turns"][3]
    assert adjusted[4] != games["turns"][4]


def test_shots_are_adjusted_like_turns() -> None:
    row = mean_turns(solo()).iloc[0]
    assert row["adjusted_shots"] == pytest.approx(2 * row["adjusted_turns"])


def test_order_ranks_and_differences_go_by_the_adjusted_means() -> None:
    lucky = solo("lucky", turns=61, alike=0)
    lucky = lucky.assign(luck=lucky["luck"] - 4, turns=lucky["turns"] - 4, layout=lucky.index + 500)
    games = pd.concat([lucky, solo("able", seed=2, alike=0)])[list(PLAYED)]
    table = mean_turns(games)
    assert table["bot"].tolist() == ["able", "lucky"]
    assert table["mean_turns"][0] > table["mean_turns"][1]
    assert table["rank"].tolist() == table["worst_rank"].tolist() == [1, 2]
    difference = paired_difference(games, "able", "lucky")
    assert difference.value == pytest.approx(-np.diff(table["adjusted_turns"])[0])
    assert difference.high < 0


def test_adjusted_bots_are_compared_on_common_layouts() -> None:
    games = pd.concat([solo("able", alike=0), solo("better", alike=0, turns=59.5)])
    difference = paired_difference(games, "better", "able")
    assert difference.paired
    assert difference.high < 0
    table = mean_turns(games)
    assert table["bot"].tolist() == ["better", "able"]
    assert table["worst_rank"].tolist() == [1, 2]


def test_table_verdict_and_data_agree_where_luck_turns_the_order_round() -> None:
    lucky = solo("lucky", turns=61, alike=0)
    lucky = lucky.assign(luck=lucky["luck"] - 4, turns=lucky["turns"] - 4)
    table = mean_turns(pd.concat([lucky, solo("able", seed=2, alike=0)])[list(PLAYED)])
    assert turns_verdict(table)[0].startswith("In solo games, able is better than lucky")
    for row, plain in zip(turns_cells(table), plain_rows(table, elo=False), strict=True):
        assert row["#"] == row["ranks"] == str(plain["rank"])
        low, high = (plain[f"adjusted_turns_{end}"] for end in ("low", "high"))
        assert row["95% interval"] == f"{low:.3f} to {high:.3f}"


def test_withheld_bots_stand_last_and_have_no_rank() -> None:
    games = pd.concat([solo("cheat", mean_luck=-10), solo("b", turns=70), solo("c", seed=2)])
    table = mean_turns(games)
    assert table["bot"].tolist() == ["c", "b", "cheat"]
    for column, ranks in (("rank", [1, 2, None]), ("worst_rank", [1, 2, None])):
        assert table[column].tolist() == ranks
    assert np.isnan(paired_difference(games, "b", "cheat").value)
    last = plain_leaderboards(None, table, games)["turns"][-1]
    assert (last["rank"], last["best_rank"], last["withheld"]) == (None, None, True)
    csv = [line.split(",")[:2] for line in leaderboard_csv(table).splitlines()]
    assert csv[1:] == [["c", "1"], ["b", "2"], ["cheat", ""]]


def test_verdict_and_chart_are_about_bots_that_have_a_rank() -> None:
    games = [solo("cheat", mean_luck=-10), solo("b", turns=70), solo("c", seed=2)]
    table = mean_turns(pd.concat(games))
    assert "cheat" not in " ".join(turns_verdict(table))
    figure = turns_figure(table, styles(table["bot"].tolist()))
    drawn = [float(trace.x[0]) for trace in figure.data]
    assert drawn == pytest.approx(table["adjusted_turns"].dropna().tolist())


def test_tables_without_luck_have_no_adjusted_columns() -> None:
    table = mean_turns(solo().drop(columns=["luck", "luck_shots", "block"]))
    assert "adjusted_turns" not in table
    assert "adjusted" not in leaderboard_text(shown_leaderboard(table))


def test_plain_data_has_the_adjusted_means_to_three_decimals() -> None:
    [row] = plain_leaderboards(None, mean_turns(solo()))["turns"]
    assert row["adjusted_shots"] == round(row["adjusted_shots"], 3)
    assert row["withheld"] is False
    assert {"adjusted_low", "adjusted_high"} <= row.keys()


@pytest.mark.parametrize("column", ["luck_shots", "block"])
def test_luck_without_its_other_columns_is_refused(column: str) -> None:
    with pytest.raises(LeaderboardError, match=f"the column '{column}' is missing"):
        mean_turns(solo().drop(columns=column))


def test_infinite_luck_is_refused() -> None:
    with pytest.raises(LeaderboardError, match="'luck' must hold finite numbers"):
        mean_turns(solo().assign(luck=np.inf))

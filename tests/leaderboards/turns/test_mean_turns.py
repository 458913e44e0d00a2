"""Turns and shots to sink the fleet."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import pytest
import scipy

from leaderboards import LeaderboardError, mean_turns, paired_difference
from leaderboards.turns.means import half_width, mean_limits

Searches = Callable[..., pd.DataFrame]


def test_bots_stand_in_the_order_of_their_mean_turns(searches: Searches) -> None:
    table = mean_turns(searches(["quick", "middling", "slow"]))
    assert table["bot"].tolist() == ["quick", "middling", "slow"]
    assert table["rank"].tolist() == [1, 2, 3]
    assert table["games"].tolist() == [40, 40, 40]


def test_interval_is_students_where_turns_are_not_skewed(searches: Searches) -> None:
    solo = searches(["a"], layouts=9).assign(turns=range(40, 49), shots=range(40, 49))
    low, high = scipy.stats.ttest_1samp(solo["turns"], 0).confidence_interval(0.95)
    found = mean_turns(solo).iloc[0]
    assert (found["turns_low"], found["turns_high"]) == pytest.approx((low, high))
    assert found["mean_turns"] == pytest.approx(solo["turns"].mean())
    assert (found["best_shots"], found["worst_shots"]) == (solo["shots"].min(), solo["shots"].max())
    assert found["hit_rate"] == pytest.approx(17 * 9 / solo["shots"].sum())


def test_interval_covers_the_mean_of_twenty_skewed_numbers_of_turns() -> None:
    generator = np.random.default_rng(1)
    turns = np.round(7 + generator.gamma(1, 4, (1500, 20)))
    held = 0
    for sample in turns:
        _, low, high = mean_limits(sample, 0.3)
        held += low <= 11.01 <= high
    # Student's own interval covers 92.5%.
    assert 0.93 <= held / len(turns) <= 0.96


def test_skewness_is_taken_out_of_five_numbers_and_of_no_fewer() -> None:
    for turns, skewed in (([10, 10, 10, 22], False), ([10, 10, 10, 10, 22], True)):
        student = scipy.stats.ttest_1samp(turns, 0).confidence_interval(0.95)
        mean, low, high = mean_limits(np.array(turns, dtype=np.float64), 0.3)
        assert mean == np.mean(turns)
        assert ((low, high) == pytest.approx(tuple(student))) != skewed
        assert (low > student.low and high > student.high) == skewed


def test_half_the_width_of_an_interval_is_students() -> None:
    numbers = np.array([3.0, 5.0, 6.0, 11.0])
    low, high = scipy.stats.ttest_1samp(numbers, 0).confidence_interval(0.95)
    assert half_width(numbers.std(ddof=1), 4) == pytest.approx((high - low) / 2)
    assert half_width(1.0, 2) == pytest.approx(12.706 / np.sqrt(2), abs=0.001)
    assert np.isnan(half_width(0.0, 1))


def test_ranks_say_who_needs_surely_fewer(searches: Searches) -> None:
    table = mean_turns(searches(["quick", "middling", "slow"])).set_index("bot")
    assert table["best_rank"].tolist() == table["worst_rank"].tolist() == [1, 2, 3]


def test_equal_bots_may_have_any_rank(searches: Searches) -> None:
    solo = pd.concat([searches(["a"], seed=seed).assign(bot=f"b{seed}") for seed in range(4)])
    table = mean_turns(solo)
    assert table["best_rank"].tolist() == [1] * 4
    assert table["worst_rank"].tolist() == [4] * 4


def test_bots_without_common_layouts_are_compared_by_their_means(searches: Searches) -> None:
    solo = searches(["a", "b"], layouts=60)
    apart = solo[(solo["bot"] == "a") == (solo["layout"] < 30)]
    difference = paired_difference(apart, "a", "b")
    means = mean_turns(apart).set_index("bot")["mean_turns"]
    assert not difference.paired
    assert difference.layouts == 0
    assert difference.low < difference.value < difference.high
    assert difference.value == pytest.approx(means["a"] - means["b"])


def test_means_on_layouts_of_their_own_are_compared_as_independent(searches: Searches) -> None:
    solo = searches(["a", "b"]).assign(layout=range(80))
    difference = paired_difference(solo, "a", "b")
    turns = [solo[solo["bot"] == bot]["turns"] for bot in ("a", "b")]
    expected = scipy.stats.ttest_ind(*turns, equal_var=False).confidence_interval(0.95)
    assert (difference.low, difference.high) == pytest.approx(tuple(expected))
    assert np.isnan(difference.correlation)


def test_ranks_take_into_account_what_layouts_have_in_common(searches: Searches) -> None:
    common = searches(["a", "b"], layouts=20)
    own = common.assign(layout=range(40))
    assert mean_turns(common)["worst_rank"].tolist() == [1, 2]
    assert mean_turns(own)["worst_rank"].tolist() == [2, 2]
    assert mean_turns(own)["mean_turns"].tolist() == mean_turns(common)["mean_turns"].tolist()


def two_bots(turns: Sequence[int], others: Sequence[int]) -> pd.DataFrame:
    """Return solo games of bots "a" and "b" on the same layouts."""
    rows = [
        (bot, layout, taken)
        for bot, all_taken in (("a", turns), ("b", others))
        for layout, taken in enumerate(all_taken)
    ]
    table = pd.DataFrame(rows, columns=["bot", "layout", "turns"])
    return table.assign(shots=table["turns"], hits=5, forfeit=False)


def test_ranks_of_two_bots_are_those_of_the_paired_t_test() -> None:
    turns = [30, 34, 41, 28, 37, 33, 45, 39, 31, 36, 42, 29]
    noise = [2, -1, 0, 1, -2, 1, 0, -1, 2, 0, -2, 0]
    told = []
    for later in range(25):
        others = [
            taken + more + later // 12 + (layout < later % 12)
            for layout, (taken, more) in enumerate(zip(turns, noise, strict=True))
        ]
        sure = mean_turns(two_bots(turns, others))["worst_rank"].tolist() == [1, 2]
        assert sure == (later > 0 and scipy.stats.ttest_rel(turns, others).pvalue < 0.05)
        told.append(sure)
    assert 3 < told.index(True) < 20


def test_blocks_that_are_alike_for_both_bots_do_not_hide_a_steady_lead() -> None:
    turns = [30, 31, 32, 50, 51, 52, 40, 41, 42, 60, 61, 62]
    games = two_bots(turns, [taken + 1 for taken in turns])
    known = games.assign(luck=0.0, luck_shots=0.0, block=games["layout"] // 3)
    table = mean_turns(known)
    assert table["adjusted_turns"].tolist() == table["mean_turns"].tolist()
    assert table["worst_rank"].tolist() == [1, 2]
    other_layouts = known.assign(layout=range(24), block=known.index // 3)
    assert mean_turns(other_layouts)["worst_rank"].tolist() == [2, 2]


def test_bot_that_never_varies_correlates_with_nobody() -> None:
    steady = paired_difference(two_bots([30, 30, 30, 30], [40, 41, 42, 41]), "a", "b")
    assert np.isnan(steady.correlation)
    assert (steady.paired, steady.layouts) == (True, 4)
    found = paired_difference(two_bots([30, 31, 30, 31], [40, 41, 41, 40]), "a", "b")
    assert found.correlation == pytest.approx(0)


def test_two_layouts_each_are_enough_for_an_interval() -> None:
    apart = two_bots([30, 34], [40, 48]).assign(layout=range(4))
    found = paired_difference(apart, "a", "b")
    expected = scipy.stats.ttest_ind([30, 34], [40, 48], equal_var=False).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx(tuple(expected))


def test_forfeited_search_hits_nothing(searches: Searches) -> None:
    solo = searches(["a"], layouts=4)
    solo.loc[0, ["turns", "shots"]] = 100
    solo["forfeit"] = [True, False, False, False]
    assert mean_turns(solo)["hit_rate"][0] == pytest.approx(17 * 3 / solo["shots"].sum())


def test_single_game_has_a_mean_and_no_interval(searches: Searches) -> None:
    found = mean_turns(searches(["a"], layouts=1)).iloc[0]
    assert np.isfinite(found["mean_turns"])
    assert np.isnan([found["turns_low"], found["turns_high"], found["shots_low"]]).all()


def test_no_interval_reaches_below_one_turn(searches: Searches) -> None:
    solo = searches(["a"], layouts=2).assign(turns=[20, 100], shots=[20, 100])
    found = mean_turns(solo).iloc[0]
    assert found["turns_low"] == found["shots_low"] == 1


def test_layout_searched_twice_counts_once(searches: Searches) -> None:
    solo = searches(["a"], layouts=5)
    twice = mean_turns(pd.concat([solo, solo])).iloc[0]
    once = mean_turns(solo).iloc[0]
    assert twice["turns_low"] == pytest.approx(once["turns_low"])
    assert twice["games"] == 10


def test_bot_that_never_varies_has_a_narrow_interval_but_not_none(searches: Searches) -> None:
    solo = searches(["a"]).assign(turns=100, shots=100, forfeit=True)
    found = mean_turns(solo).iloc[0]
    assert found["forfeits"] == 40
    assert 99.8 < found["turns_low"] < 100 < found["turns_high"] < 100.2


def test_equal_bots_share_a_rank_by_name(searches: Searches) -> None:
    solo = searches(["a"])
    table = mean_turns(pd.concat([solo.assign(bot="b"), solo]))
    assert table["bot"].tolist() == ["a", "b"]
    assert table["rank"].tolist() == [1, 1]


def test_order_of_rows_changes_nothing(searches: Searches) -> None:
    solo = searches(["a", "b"])
    shuffled = solo.sample(frac=1, random_state=1)
    pd.testing.assert_frame_equal(mean_turns(solo), mean_turns(shuffled), check_exact=True)


def test_no_games_make_an_empty_table() -> None:
    table = mean_turns(pd.DataFrame())
    assert table.empty
    assert "mean_turns" in table.columns


def test_difference_is_surer_than_the_means_on_common_layouts(searches: Searches) -> None:
    solo = searches(["a", "b"], layouts=200)
    difference = paired_difference(solo, "a", "b")
    means = mean_turns(solo).set_index("bot")
    assert difference.value == pytest.approx(
        means.loc["a", "mean_turns"] - means.loc["b", "mean_turns"]
    )
    assert difference.low < difference.value < difference.high < 0
    width = means.loc["a", "turns_high"] - means.loc["a", "turns_low"]
    assert difference.high - difference.low < width
    assert difference.layouts == 200
    assert difference.correlation > 0.6


def test_difference_counts_common_layouts_alone(searches: Searches) -> None:
    solo = searches(["a", "b"], layouts=10)
    missing = solo[(solo["bot"] == "a") | (solo["layout"] < 4)]
    assert paired_difference(missing, "a", "b", column="shots").layouts == 4


@pytest.mark.parametrize("layouts", [0, 1])
def test_difference_of_too_few_layouts_has_no_interval(searches: Searches, layouts: int) -> None:
    solo = searches(["a", "b"], layouts=1)
    difference = paired_difference(solo, "a", "b" if layouts else "nobody")
    assert difference.layouts == layouts
    assert not difference.paired
    assert np.isnan(difference.low)
    assert np.isnan(difference.correlation)
    assert np.isnan(difference.value) == (layouts == 0)


def test_difference_of_another_column_is_refused(searches: Searches) -> None:
    with pytest.raises(LeaderboardError, match="compare 'turns' or 'shots'"):
        paired_difference(searches(["a"]), "a", "a", column="hits")


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("bot", None, "column 'bot' holds"),
        ("layout", 0.5, "column 'layout' has values of type float64; give whole numbers"),
        ("layout", None, "column 'layout' lacks 1 of its 1 values; give a whole number in every"),
        ("bot", "", "column 'bot' holds ''; a bot's name is text and not empty"),
        ("turns", 0, "column 'turns' holds 0"),
        ("shots", 0, "column 'shots' holds 0"),
        ("hits", 101, "column 'hits' must lie between"),
        ("hits", -1, "column 'hits' must lie between"),
        ("forfeit", "no", "column 'forfeit' holds 'no'"),
    ],
)
def test_game_that_breaks_the_contract_is_refused(
    searches: Searches, column: str, value: object, message: str
) -> None:
    with pytest.raises(LeaderboardError, match=message):
        mean_turns(searches(["a"], layouts=1).assign(**{column: [value]}))


def test_search_of_one_turn_whose_shots_all_hit_or_miss_is_a_game(searches: Searches) -> None:
    least = searches(["a"], layouts=2).assign(turns=1, shots=1, hits=[1, 0])
    found = mean_turns(least).iloc[0]
    assert (found["mean_turns"], found["hit_rate"]) == (1, 0.5)


def test_missing_column_is_named(searches: Searches) -> None:
    with pytest.raises(LeaderboardError, match="solo: the column 'hits' is missing"):
        mean_turns(searches(["a"]).drop(columns="hits"))

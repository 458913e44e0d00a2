import numpy as np
import pandas as pd
import pytest
from scipy import stats

from leaderboards import LeaderboardError, mean_turns
from leaderboards.display.formatted_tables import leaderboard_text, shown_leaderboard
from leaderboards.display.plain import plain_leaderboards
from leaderboards.turns.adjusted_means import MOST_FALSE, block_mean, chance_of, log_stakes
from leaderboards.turns.means import Floats

BLOCKS, SIZE = 20, 10


TILTS = np.array([0.1, 0.3, 1.0, 3.0])
"""The tilts of e-values of normal luck; those of each have an expectation of 1."""


def e_values(better: Floats) -> dict[str, Floats]:
    """Return the columns of e-values of games whose luck is so many deviations good."""
    logs = TILTS * better[:, None] - TILTS**2 / 2
    return {f"log_e_{number}": logs[:, number] for number in range(len(TILTS))}


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
            **e_values(-luck / 8),
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
    assert table.loc["cheat", "luck_chance"] <= MOST_FALSE
    assert table.loc["ace", "luck_chance"] > 0.01
    assert not table.loc["ace", "withheld"]


def test_who_is_withheld_is_named_below_the_table() -> None:
    text = leaderboard_text(
        shown_leaderboard(mean_turns(pd.concat([solo(), solo("cheat", mean_luck=-10)])))
    )
    assert "Withheld: cheat." in text
    assert [line.split()[1] for line in text.splitlines() if " withheld " in line] == ["cheat"]


@pytest.mark.parametrize("others", [85, 985, 9_985])
def test_fifteen_known_games_are_named_however_many_others_there_are(others: int) -> None:
    games = solo(blocks=(others + 15) // SIZE)
    known = games.index % (len(games) // 15) == 0
    columns = e_values(np.where(known, 5.5, -games["luck"].to_numpy() / 8))
    table = mean_turns(pd.concat([solo("honest"), games.assign(**columns)])).set_index("bot")
    assert table.loc["ace", "withheld"]
    assert not table.loc["honest", "withheld"]


def test_a_bot_that_knows_a_tenth_of_a_hundred_games_is_named() -> None:
    named = 0
    for seed in range(50):
        generator = np.random.default_rng(seed)
        better = generator.normal(size=100) + 3.4 * (np.arange(100) % 10 == 0)
        named += mean_turns(solo(blocks=10).assign(**e_values(better)))["withheld"].iloc[0]
    assert named >= 45


def test_chance_names_no_more_tables_than_it_may() -> None:
    """Steps that are as skewed as hits: rarely 1, mostly 0."""
    generator = np.random.default_rng(1)
    bots, games, tables, hit = 5, 40, 4_000, 0.05
    shots = 10
    costs = np.log1p(hit * np.expm1(TILTS))
    pool = generator.binomial(shots, hit, 4_000)[:, None] * TILTS - shots * costs
    stakes = log_stakes(pool).astype(np.float32)
    least = np.empty(tables)
    for table in range(tables):
        drawn = generator.integers(len(pool), size=(bots, games))
        least[table] = chance_of(stakes[drawn].sum(axis=1), bots).min()
    for level in (0.2, 0.05, 0.01):
        assert (least <= level).mean() <= level
    assert not (least <= MOST_FALSE).any()


def test_more_bots_in_a_table_need_more_evidence() -> None:
    capital = np.full(4, np.log(2e4))
    assert chance_of(capital, 1) <= MOST_FALSE < chance_of(capital, 10)


def test_a_layout_that_is_searched_again_is_no_evidence() -> None:
    games = solo().assign(**e_values(np.zeros(BLOCKS * SIZE)))
    again = games.assign(**e_values(np.full(len(games), 4.0)))
    assert not mean_turns(pd.concat([games, again]))["withheld"].iloc[0]


def test_without_e_values_nobody_is_named() -> None:
    games = solo("cheat", mean_luck=-10)
    row = mean_turns(games.drop(columns=list(e_values(np.zeros(1))))).iloc[0]
    assert not row["withheld"]
    assert np.isnan(row["luck_chance"])


def test_two_games_are_too_few_to_withhold() -> None:
    games = solo().iloc[:2].assign(**e_values(np.array([1.3, 1.2])))
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
    assert "adjusted" not in leaderboard_text(shown_leaderboard(table))


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

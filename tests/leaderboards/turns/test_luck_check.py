import numpy as np
import pandas as pd
import pytest

from leaderboards import mean_turns
from leaderboards.display.formatted_tables import leaderboard_text, shown_leaderboard
from leaderboards.turns.luck_check import MOST_FALSE, SHARES, chance_of, log_stakes, luck_chances
from tests.leaderboards.turns.lucky_games import BLOCKS, SIZE, TILTS, e_values, solo


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
    [line] = [line for line in text.splitlines() if "withheld" in line]
    assert line.split()[:2] == ["-", "cheat"]


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
    for seed in range(20):
        generator = np.random.default_rng(seed)
        better = generator.normal(size=100) + 3.4 * (np.arange(100) % 10 == 0)
        named += mean_turns(solo(blocks=10).assign(**e_values(better)))["withheld"].iloc[0]
    assert named >= 18


def test_chance_names_no_more_tables_than_it_may() -> None:
    """Steps that are as skewed as hits: rarely 1, mostly 0."""
    generator = np.random.default_rng(1)
    bots, games, tables, hit = 5, 40, 2_000, 0.05
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


def test_a_bet_keeps_what_is_not_staked_and_multiplies_the_rest() -> None:
    e_values = np.array([[0.5, 3.0], [0.0, 20.0], [1.0, 1.0]])
    with np.errstate(divide="ignore"):
        found = np.exp(log_stakes(np.log(e_values)))
    shares = (1.0, 0.1, 0.01, 0.001, 0.0001)
    for row, game in zip(found, e_values, strict=True):
        assert row == pytest.approx([1 - share + share * e for share in shares for e in game])


@pytest.mark.parametrize(
    ("capital", "bots", "chance"),
    [
        ([1000, 0, 0, 0], 1, 1 / 250),
        ([1000, 500, 300, 200], 3, 3 / 500),
        ([1, 1], 1, 1),
        ([0.1, 0.2], 1, 1),
        ([40, 40], 50, 1),
        ([2e6, 0], 1, 1e-6),
        ([3e6, 1e6], 1, 1e-6),  # no smaller probability is claimed
        ([1e7, 1e7], 20, 2e-6),
    ],
)
def test_chance_is_one_over_the_mean_capital_for_each_bot(
    capital: list[float], bots: int, chance: float
) -> None:
    with np.errstate(divide="ignore"):
        assert chance_of(np.log(capital), bots) == pytest.approx(chance)


def test_games_without_an_e_value_speak_neither_way() -> None:
    games = solo(blocks=1).drop(columns=list(e_values(np.zeros(1)))).assign(log_e_only=0.5)
    games.loc[3:, "log_e_only"] = np.nan
    three = np.mean([(1 + share * np.expm1(0.5)) ** 3 for share in SHARES])
    assert luck_chances(games) == {"ace": pytest.approx(1 / three)}


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

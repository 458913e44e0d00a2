"""Ratings against references, planted truths and awkward fields."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboards import LeaderboardError, Ratings, rate
from leaderboards.ratings import ELO_PER_NAT

DATA = Path(__file__).parent / "data"

# Ordo's Elo calls a lead of 202 what wins 76%, where the Elo scale says 400 / ln 10 per nat.
ORDO_STRETCH = np.log(10) / 400 / (np.log(0.76 / 0.24) / 202)

# What Ordo 1.2.6 (-W -a 1500) makes of the games: maximum likelihood with a first-seat advantage.
ORDO = {
    "ten_bots": (
        {
            "bot00": 1714.4, "bot01": 1644.5, "bot02": 1599.7, "bot03": 1554.4, "bot05": 1510.3,
            "bot04": 1509.0, "bot06": 1424.7, "bot07": 1394.2, "bot08": 1338.5, "bot09": 1310.3,
        },
        39.28,
    ),
    "five_unbalanced": (
        {"b0": 1841.6, "b1": 1534.9, "b2": 1506.5, "b3": 1460.7, "b4": 1156.3},
        18.26,
    ),
}  # fmt: skip

# What BayesElo 0057 (prior of 2 draws, scale 1) makes of them: rating about zero, half-widths.
BAYES_ELO = {
    "bot00": (210, 34, 32), "bot01": (142, 31, 30), "bot02": (98, 30, 29), "bot03": (53, 29, 29),
    "bot05": (10, 28, 28), "bot04": (9, 28, 28), "bot06": (-74, 29, 29), "bot07": (-104, 29, 30),
    "bot08": (-158, 30, 31), "bot09": (-186, 31, 32),
}  # fmt: skip

GamesOf = Callable[..., pd.DataFrame]


def reference_games(name: str) -> pd.DataFrame:
    games = pd.read_csv(DATA / f"{name}.csv")
    result = np.where(games["first_won"] == 1, "first", "second")
    return games.assign(result=result, forfeit=None, pair=np.arange(len(games)))


def row(ratings: Ratings, bot: str) -> pd.Series:
    return ratings.table.set_index("bot").loc[bot]


@pytest.mark.parametrize("name", sorted(ORDO))
def test_without_a_prior_the_ratings_are_those_of_ordo(name: str) -> None:
    expected, advantage = ORDO[name]
    ratings = rate(reference_games(name), prior=None)
    found = ratings.table.set_index("bot")["elo"]
    assert list(found.index) == list(expected)
    for bot, elo in expected.items():
        assert (found[bot] - 1500) * ORDO_STRETCH + 1500 == pytest.approx(elo, abs=0.06)
    assert ratings.first_seat is not None
    assert ratings.first_seat.value * ORDO_STRETCH == pytest.approx(advantage, abs=0.06)


def test_ratings_and_intervals_are_near_those_of_bayes_elo() -> None:
    ratings = rate(reference_games("ten_bots"))
    for bot, (elo, above, below) in BAYES_ELO.items():
        found = row(ratings, bot)
        assert found["elo"] - 1500 == pytest.approx(elo, abs=4)
        assert found["high"] - found["elo"] == pytest.approx(above, abs=3)
        assert found["elo"] - found["low"] == pytest.approx(below, abs=3)


def test_planted_ratings_are_found(league: GamesOf) -> None:
    planted = {"a": 200.0, "b": 60.0, "c": -40.0, "d": -220.0}
    ratings = rate(league(planted, 800, first_seat=45))
    for bot, elo in planted.items():
        found = row(ratings, bot)
        assert found["low"] < 1500 + elo < found["high"]
        assert found["high"] - found["low"] < 60
    assert ratings.first_seat is not None
    assert ratings.first_seat.low < 45 < ratings.first_seat.high
    assert ratings.warnings == ()


def test_planted_ratings_are_found_among_draws(league: GamesOf) -> None:
    planted = {"a": 250.0, "b": 0.0, "c": -250.0}
    ratings = rate(league(planted, 800, draws=0.8))
    for bot, elo in planted.items():
        assert row(ratings, bot)["low"] < 1500 + elo < row(ratings, bot)["high"]
    games = ratings.pairings
    assert games["predicted"].to_numpy() == pytest.approx(games["score"].to_numpy(), abs=0.03)
    assert (ratings.table["draws"] > 0).all()


def test_field_that_only_draws_is_level(games_of: GamesOf) -> None:
    ratings = rate(games_of([("a", "b", "draw", 0), ("b", "a", "draw", 0)]))
    assert ratings.table["elo"].tolist() == pytest.approx([1500, 1500])
    assert ratings.table["rank"].tolist() == [1, 1]


@pytest.mark.parametrize("prior", [0.25, None])
def test_bot_without_a_win_in_two_hundred_games_has_an_upper_bound(
    league: GamesOf, games_of: GamesOf, prior: float | None
) -> None:
    lost = [
        game
        for pair in range(50)
        for bot in ("a", "b")
        for game in ((bot, "zero", "first", pair), ("zero", bot, "second", pair))
    ]
    games = pd.concat([league({"a": 50, "b": -50}, 100), games_of(lost)])
    ratings = rate(games, prior=prior)
    zero = row(ratings, "zero")
    assert (zero["games"], zero["wins"], zero["bound"]) == (200, 0, "upper")
    assert np.isnan(zero["low"])
    assert np.isfinite(zero["high"])
    assert zero["high"] < row(ratings, "b")["low"]
    if prior is None:
        assert np.isnan(zero["elo"])
        assert "no finite rating for zero" in ratings.warnings[0]
    else:
        assert zero["elo"] < zero["high"]


def test_undefeated_bot_has_a_lower_bound_and_heads_the_table(games_of: GamesOf) -> None:
    rows = [
        game
        for pair in range(20)
        for game in (
            ("best", "a", "first", pair),
            ("a", "best", "second", pair),
            ("best", "b", "first", pair),
            ("b", "best", "second", pair),
            ("a", "b", "first" if pair % 3 else "second", pair),
            ("b", "a", "first" if pair % 2 else "second", pair),
        )
    ]
    top = rate(games_of(rows)).table.iloc[0]
    assert (top["bot"], top["bound"], top["losses"]) == ("best", "lower", 0)
    assert top["low"] < top["elo"]
    assert np.isnan(top["high"])


def test_bound_is_where_the_record_had_a_chance_of_one_in_twenty(games_of: GamesOf) -> None:
    rows = [("a", "b", "first", 0), ("b", "a", "second", 0)]
    ratings = rate(games_of(rows * 10).assign(pair=np.repeat(np.arange(10), 2)))
    lead = 2 * (1500 - row(ratings, "b")["high"])
    assert ratings.first_seat is not None
    chance = (1 / (1 + np.exp(-lead / ELO_PER_NAT))) ** 20
    assert chance == pytest.approx(0.05, abs=0.004)


def test_interval_is_narrower_for_pairs_that_cancel_and_wider_for_pairs_that_agree(
    games_of: GamesOf,
) -> None:
    def width(second_of: Callable[[str], str]) -> float:
        rows = []
        for pair in range(100):
            result = "first" if pair % 2 else "second"
            rows += [("a", "b", result, pair), ("b", "a", second_of(result), pair)]
        bot = row(rate(games_of(rows)), "a")
        return float(bot["high"] - bot["low"])

    swap = {"first": "second", "second": "first"}
    assert width(lambda result: result) < 20
    assert width(lambda result: swap[result]) > 60


def test_groups_that_never_met_are_rated_apart(league: GamesOf) -> None:
    games = pd.concat([league({"a": 100, "b": -100}, 50), league({"x": 0, "y": 10, "z": -10}, 50)])
    ratings = rate(games)
    elo = ratings.table.set_index("bot")["elo"]
    assert elo[["a", "b"]].mean() == pytest.approx(1500)
    assert elo[["x", "y", "z"]].mean() == pytest.approx(1500)
    assert np.isnan(ratings.superiority.loc["a", "x"])
    assert "No games link these groups of bots: x, y, z; a, b" in ratings.warnings[0]


def test_gap_that_rests_on_the_prior_is_told(league: GamesOf, games_of: GamesOf) -> None:
    between = [
        game
        for pair in range(5)
        for strong in "ab"
        for weak in "yz"
        for game in ((strong, weak, "first", pair), (weak, strong, "second", pair))
    ]
    inside = [league({"a": 0, "b": 0}, 20), league({"y": 0, "z": 0}, 20, seed=2)]
    games = pd.concat([*inside, games_of(between)])
    assert any("all points went one way: a, b; y, z" in text for text in rate(games).warnings)
    bare = rate(games, prior=None)
    assert row(bare, "y")["bound"] == "upper"
    assert np.isnan(row(bare, "y")["elo"])


def test_cycle_is_told_as_a_surprise(games_of: GamesOf) -> None:
    rows = [
        game
        for pair in range(60)
        for winner, loser in (("rock", "scissors"), ("scissors", "paper"), ("paper", "rock"))
        for game in (
            (winner, loser, "first", pair),
            (loser, winner, "second" if pair % 4 else "first", pair),
        )
    ]
    warnings = rate(games_of(rows)).warnings
    assert len(warnings) == 3
    assert "scores 88% against" in warnings[0]
    assert "predicts 50%" in warnings[0]


def test_unfinished_pair_counts_and_is_told(games_of: GamesOf) -> None:
    rows = [("a", "b", "first", 0), ("b", "a", "first", 0), ("a", "b", "second", 1)]
    ratings = rate(games_of(rows))
    assert ratings.table["games"].tolist() == [3, 3]
    assert ratings.warnings[0].startswith("1 of 2 pairs lack a game")


@pytest.mark.parametrize("prior", [0.25, None])
def test_single_game_does_not_crash(games_of: GamesOf, prior: float | None) -> None:
    table = rate(games_of([("a", "b", "first", 0)]), prior=prior).table
    assert table["bot"].tolist() == ["a", "b"]
    assert table["wins"].tolist() == [1, 0]


def test_seat_that_always_wins_leaves_bots_level(games_of: GamesOf) -> None:
    games = games_of([("a", "b", "first", 0), ("b", "a", "first", 0)])
    level = rate(games)
    assert level.table["elo"].tolist() == pytest.approx([1500, 1500])
    assert level.first_seat is not None
    assert level.first_seat.value > 0
    assert (level.table["high"] > level.table["low"]).all()
    bare = rate(games, prior=None)
    assert bare.first_seat is None
    assert "do not tell what the first seat is worth" in bare.warnings[0]


def test_seats_that_bots_never_change_tell_nothing_without_a_prior(games_of: GamesOf) -> None:
    ratings = rate(games_of([("a", "b", "first", 0), ("a", "b", "second", 1)]), prior=None)
    assert ratings.first_seat is None
    assert ratings.table["elo"].tolist() == pytest.approx([1500, 1500])


@pytest.mark.parametrize("prior", [0.25, None])
def test_no_games_make_an_empty_table(prior: float | None) -> None:
    ratings = rate(pd.DataFrame(), prior=prior)
    assert ratings.table.empty
    assert ratings.first_seat is None
    assert ratings.warnings == ()


def test_only_the_bots_asked_for_are_rated(league: GamesOf) -> None:
    ratings = rate(league({"a": 0, "b": 0, "c": 0}, 10), bots=["a", "b", "not there"])
    assert sorted(ratings.table["bot"]) == ["a", "b"]
    assert ratings.table["games"].tolist() == [20, 20]


def test_forfeits_count_as_losses_and_are_shown(games_of: GamesOf) -> None:
    games = games_of([("a", "b", "first", 0), ("b", "a", "first", 0)])
    games["forfeit"] = ["second", None]
    table = rate(games).table.set_index("bot")
    assert table.loc["b", "forfeits"] == 1
    assert table.loc["a", "forfeits"] == 0
    assert table.loc["b", "losses"] == 1


def test_superiority_and_ranks_tell_who_is_surely_better(league: GamesOf) -> None:
    ratings = rate(league({"a": 300, "b": 5, "c": 0}, 100))
    assert ratings.superiority.loc["a", "b"] > 0.999
    assert 0.01 < ratings.superiority.loc["b", "c"] < 0.99
    sums = ratings.superiority + ratings.superiority.T
    assert sums.to_numpy() == pytest.approx(np.ones((3, 3)))
    spans = ratings.ranks.set_index("bot")
    assert spans.loc["a"].tolist() == [1, 1]
    assert spans.loc["b"].tolist() == [2, 3]


def test_covariance_agrees_with_the_intervals(league: GamesOf) -> None:
    ratings = rate(league({"a": 50, "b": 0, "c": -50}, 300))
    deviation = np.sqrt(np.diag(ratings.covariance))
    width = (ratings.table["high"] - ratings.table["low"]).to_numpy()
    assert width / 2 / deviation == pytest.approx(np.full(3, 1.96), rel=0.02)
    assert ratings.covariance.sum().to_numpy() == pytest.approx(np.zeros(3), abs=5)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.permutations("abcd").map(lambda bots: bots[:2]),
            st.sampled_from(["first", "second", "draw"]),
            st.integers(0, 3),
        ),
        min_size=1,
        max_size=40,
    ),
    st.randoms(use_true_random=False),
    st.sampled_from([0.25, None]),
)
def test_order_of_rows_changes_nothing_and_no_interval_is_empty(
    played: list[tuple[list[str], str, int]], chance: object, prior: float | None
) -> None:
    rows = [(*bots, result, pair) for bots, result, pair in played]
    games = pd.DataFrame(rows, columns=["first", "second", "result", "pair"]).assign(forfeit=None)
    order = list(range(len(rows)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    ratings, again = rate(games, prior=prior), rate(games.iloc[order], prior=prior)
    pd.testing.assert_frame_equal(ratings.table, again.table, check_exact=True)
    pd.testing.assert_frame_equal(ratings.superiority, again.superiority, check_exact=True)
    assert ratings.warnings == again.warnings
    assert set(ratings.table["bot"]) == {bot for bots, _, _ in played for bot in bots}
    table = ratings.table[ratings.table["elo"].notna()]
    assert not (table["low"] >= table["elo"]).any()
    assert not (table["high"] <= table["elo"]).any()
    assert (table["low"].isna() == (table["bound"] == "upper")).all()
    assert (table["high"].isna() == (table["bound"] == "lower")).all()


@pytest.mark.parametrize("prior", [0, -1, float("inf"), float("nan")])
def test_prior_that_is_no_number_of_pairs_is_refused(prior: float) -> None:
    with pytest.raises(ValueError, match="give a positive number of pairs"):
        rate(pd.DataFrame(), prior=prior)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("first", 7, "column 'first' holds 7"),
        ("second", "", "column 'second' holds ''"),
        ("result", "won", "column 'result' holds 'won'; use one of"),
        ("forfeit", "a", "column 'forfeit' holds 'a'"),
        ("forfeit", "first", "names the seat that lost by forfeit"),
        ("pair", 0.5, "column 'pair' has values of type float64"),
        ("second", "a", "plays itself"),
    ],
)
def test_game_that_breaks_the_contract_is_refused(
    games_of: GamesOf, column: str, value: object, message: str
) -> None:
    games = games_of([("a", "b", "first", 0)]).assign(**{column: [value]})
    with pytest.raises(LeaderboardError, match=message):
        rate(games)


def test_missing_column_is_named(games_of: GamesOf) -> None:
    with pytest.raises(LeaderboardError, match="games: the column 'pair' is missing"):
        rate(games_of([("a", "b", "first", 0)]).drop(columns="pair"))

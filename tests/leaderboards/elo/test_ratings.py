"""Ratings against references, planted truths and awkward fields."""

import dataclasses
import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboards import LeaderboardError, Ratings, rate
from leaderboards.elo.elo_table import ELO_PER_NAT
from leaderboards.elo.game_counts import field_of
from leaderboards.elo.likelihood import ADVANTAGE, EXTRA, TIE, Evidence, maximised

DATA = Path(__file__).parent / "data"

# What Ordo 1.2.6 (-W -a 1500 -z 200.2409) makes of the games, on the scale of 400 / ln 10: maximum
# likelihood with a first-seat advantage, about the plain mean of the field.
ORDO = {
    "ten_bots": (
        {
            "bot00": 1712.550, "bot01": 1643.204, "bot02": 1598.839, "bot03": 1553.921,
            "bot05": 1510.233, "bot04": 1508.918, "bot06": 1425.356, "bot07": 1395.103,
            "bot08": 1339.953, "bot09": 1311.924,
        },
        38.94,
    ),
    "five_unbalanced": (
        {"b0": 1838.617, "b1": 1534.624, "b2": 1506.395, "b3": 1461.061, "b4": 1159.303},
        18.10,
    ),
}  # fmt: skip

# What BayesElo 0057 (prior of 2 draws, scale 1) makes of them: rating about zero, half-widths.
BAYES_ELO = {
    "ten_bots": {
        "bot00": (210, 34, 32), "bot01": (142, 31, 30), "bot02": (98, 30, 29),
        "bot03": (53, 29, 29), "bot05": (10, 28, 28), "bot04": (9, 28, 28),
        "bot06": (-74, 29, 29), "bot07": (-104, 29, 30), "bot08": (-158, 30, 31),
        "bot09": (-186, 31, 32),
    },
    "five_unbalanced": {
        "b0": (308, 160, 114), "b1": (41, 28, 28), "b2": (13, 28, 27), "b3": (-32, 28, 27),
        "b4": (-329, 35, 39),
    },
}  # fmt: skip
BAYES_ELO_SEATS = {"ten_bots": 38.5, "five_unbalanced": 17.7}
BAYES_ELO_DRAWS = 2

GamesOf = Callable[..., pd.DataFrame]


def reference_games(name: str) -> pd.DataFrame:
    games = pd.read_csv(DATA / f"{name}.csv")
    result = np.where(games["first_won"] == 1, "first", "second")
    return games.assign(result=result, forfeit=None, pair=np.arange(len(games)))


def row(ratings: Ratings, bot: str) -> pd.Series:
    return ratings.table.set_index("bot").loc[bot]


def about_the_mean(ratings: Ratings, planted: dict[str, float]) -> dict[str, float]:
    """Planted ratings about the mean that the table has, which weighs bots by what is known."""
    weight = ratings.table.set_index("bot")["weight"]
    mean = sum(weight[bot] * elo for bot, elo in planted.items())
    return {bot: elo - mean for bot, elo in planted.items()}


@pytest.mark.parametrize("name", sorted(ORDO))
def test_without_a_prior_the_ratings_are_those_of_ordo(name: str) -> None:
    expected, advantage = ORDO[name]
    ratings = rate(reference_games(name), prior=None)
    found = ratings.table.set_index("bot")["elo"]
    assert list(found.index) == list(expected)
    for bot, elo in expected.items():
        assert found[bot] - found.mean() + 1500 == pytest.approx(elo, abs=0.001)
    assert ratings.first_seat is not None
    assert ratings.first_seat.value == pytest.approx(advantage, abs=0.006)


@pytest.mark.parametrize("name", sorted(BAYES_ELO))
def test_with_the_same_prior_the_ratings_are_those_of_bayes_elo_to_rounding(name: str) -> None:
    played = field_of(reference_games(name))
    bots, games = played.bots, played.table()
    met = games.sum(axis=2) + games.sum(axis=2).T
    # Each bot has drawn twice, spread over its opponents as its games are, and over both seats.
    drawn = BAYES_ELO_DRAWS * met / met.sum(axis=1)[:, None]
    halves = (drawn + drawn.T) / 4
    nothing = np.zeros_like(halves)
    evidence = Evidence(games[:, :, 0] + halves, nothing, games[:, :, 2] + halves, nothing)
    size = len(bots) + EXTRA
    about_the_plain_mean = np.zeros((2, size))
    about_the_plain_mean[0, : len(bots)], about_the_plain_mean[1, TIE] = 1, 1
    found = ELO_PER_NAT * maximised(evidence, np.zeros(size), about_the_plain_mean)
    for bot, (elo, _, _) in BAYES_ELO[name].items():
        assert found[bots.index(bot)] == pytest.approx(elo, abs=0.501)
    assert found[ADVANTAGE] == pytest.approx(BAYES_ELO_SEATS[name], abs=0.0501)


def test_intervals_of_well_known_bots_are_near_those_of_bayes_elo() -> None:
    ratings = rate(reference_games("ten_bots"))
    for bot, (_, above, below) in BAYES_ELO["ten_bots"].items():
        found = row(ratings, bot)
        assert found["high"] - found["elo"] == pytest.approx(above, abs=3)
        assert found["elo"] - found["low"] == pytest.approx(below, abs=3)


def test_planted_ratings_are_found(league: GamesOf) -> None:
    planted = {"a": 200.0, "b": 60.0, "c": -40.0, "d": -220.0}
    ratings = rate(league(planted, 800, first_seat=45))
    for bot, elo in about_the_mean(ratings, planted).items():
        found = row(ratings, bot)
        assert found["low"] < 1500 + elo < found["high"]
        assert found["high"] - found["low"] < 60
    assert ratings.first_seat is not None
    assert ratings.first_seat.low < 45 < ratings.first_seat.high
    assert ratings.warnings == ()


def test_planted_ratings_are_found_among_draws(league: GamesOf) -> None:
    planted = {"a": 250.0, "b": 0.0, "c": -250.0}
    ratings = rate(league(planted, 800, draws=0.8))
    for bot, elo in about_the_mean(ratings, planted).items():
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
    ratings = rate(games_of(rows * 100).assign(pair=np.repeat(np.arange(100), 2)))
    lead = 2 * (1500 - row(ratings, "b")["high"])
    assert ratings.first_seat is not None
    chance = (1 / (1 + np.exp(-lead / ELO_PER_NAT))) ** 200
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
    table = ratings.table.set_index("bot")
    weighted = table["elo"] * table["weight"]
    assert weighted[["a", "b"]].sum() == pytest.approx(1500)
    assert weighted[["x", "y", "z"]].sum() == pytest.approx(1500)
    assert table.loc[["x", "y", "z"], "rank"].min() == 1
    assert table.loc[["a", "b"], "rank"].tolist() == [1, 2]
    assert table.loc["b", ["best_rank", "worst_rank"]].tolist() == [2, 2]
    assert np.isnan(ratings.p_values.loc["a", "x"])
    assert "No games link these groups of bots: x, y, z; a, b" in ratings.warnings[0]


def test_gap_that_rests_on_the_prior_is_reported(league: GamesOf, games_of: GamesOf) -> None:
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


def test_circle_of_wins_is_named(games_of: GamesOf) -> None:
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
    chain = "paper beats rock, rock beats scissors, scissors beats paper"
    assert f"A circle: {chain}." in warnings[0]
    assert "scores 88% against" in warnings[1]
    assert "predicts 50%" in warnings[1]
    assert [text.split(" leans on ")[0] for text in warnings[4:]] == [
        f"The rating of {bot}" for bot in ("paper", "rock", "scissors")
    ]


def beats(winner: str, loser: str, pairs_won: list[int]) -> list[tuple[str, str, str, int]]:
    """Games in blocks of ten pairs, of which the winner wins so many."""
    return [
        game
        for block, won in enumerate(pairs_won)
        for pair in range(10)
        for game in (
            (winner, loser, "first" if pair < won else "second", block),
            (loser, winner, "second" if pair < won else "first", block),
        )
    ]


@pytest.mark.parametrize(("won", "named"), [([8, 7, 8, 8], True), ([10, 2, 9, 10], False)])
def test_circle_and_misfit_must_show_in_every_block(
    games_of: GamesOf, won: list[int], *, named: bool
) -> None:
    chain = (("a", "b"), ("b", "c"), ("c", "a"))
    games = games_of([game for two in chain for game in beats(*two, won)])
    games = games.assign(block=games["pair"]).drop(columns="pair")
    warnings = rate(games).warnings
    assert any(text.startswith("A circle: ") for text in warnings) == named
    assert any("does not describe this pairing" in text for text in warnings) == named


def test_unfinished_pair_counts_and_is_reported(games_of: GamesOf) -> None:
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
    both = (("a", "b", "first"), ("b", "a", "first"))
    games = games_of([(*game, pair) for pair in range(5) for game in both])
    level = rate(games)
    assert level.table["elo"].tolist() == pytest.approx([1500, 1500])
    assert level.first_seat is not None
    assert level.first_seat.value > 0
    assert (level.table["high"] > level.table["low"]).all()
    bare = rate(games, prior=None)
    assert bare.first_seat is None
    assert "do not show what the first seat is worth" in bare.warnings[0]


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
    assert ratings.p_values.loc["a", "b"] < 0.001
    assert 0.01 < ratings.p_values.loc["b", "c"] < 0.99
    sums = ratings.p_values + ratings.p_values.T
    assert sums.to_numpy() == pytest.approx(np.ones((3, 3)))
    spans = ratings.table.set_index("bot")[["best_rank", "worst_rank"]]
    assert spans.loc["a"].tolist() == [1, 1]
    assert spans.loc["b"].tolist() == [2, 3]


def test_covariance_agrees_with_the_intervals(league: GamesOf) -> None:
    ratings = rate(league({"a": 50, "b": 0, "c": -50}, 300))
    deviation = np.sqrt(np.diag(ratings.covariance))
    width = (ratings.table["high"] - ratings.table["low"]).to_numpy()
    assert width / 2 / deviation == pytest.approx(np.full(3, 1.96), rel=0.02)
    assert ratings.covariance.sum().to_numpy() == pytest.approx(np.zeros(3), abs=5)


@settings(max_examples=10, deadline=None)
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
    st.booleans(),
)
def test_order_of_rows_changes_nothing_and_no_interval_is_empty(
    played: list[tuple[list[str], str, int]],
    chance: object,
    prior: float | None,
    in_blocks: bool,  # noqa: FBT001 - Hypothesis draws it
) -> None:
    rows = [
        (*bots, result, block if in_blocks else number // 2)
        for number, (bots, result, block) in enumerate(played)
    ]
    columns = ["first", "second", "result", "block" if in_blocks else "pair"]
    games = pd.DataFrame(rows, columns=columns).assign(forfeit=None)
    order = list(range(len(rows)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    ratings, again = rate(games, prior=prior), rate(games.iloc[order], prior=prior)
    pd.testing.assert_frame_equal(ratings.table, again.table, check_exact=True)
    pd.testing.assert_frame_equal(ratings.p_values, again.p_values, check_exact=True)
    assert ratings.warnings == again.warnings
    assert set(ratings.table["bot"]) == {bot for bots, _, _ in played for bot in bots}
    table = ratings.table[ratings.table["elo"].notna()]
    assert not (table["low"] >= table["elo"]).any()
    assert not (table["high"] <= table["elo"]).any()
    limited = table[table["low"].notna() | table["high"].notna()]
    assert (limited["low"].isna() == (limited["bound"] == "upper")).all()
    assert (limited["high"].isna() == (limited["bound"] == "lower")).all()


@pytest.mark.parametrize("looks", [0, -1])
def test_looks_that_are_none_are_refused(looks: int) -> None:
    told = f"looks is {looks}; give how many were planned, 1 for no other"
    with pytest.raises(ValueError, match=told):
        rate(pd.DataFrame(), looks=looks)
    assert rate(pd.DataFrame(), looks=1).table.empty


def test_bot_without_games_is_not_compared(games_of: GamesOf) -> None:
    ratings = rate(games_of([("a", "b", "first", 0)]))
    for two in (("a", "c"), ("c", "a")):
        with pytest.raises(LeaderboardError, match="'c' has no games here; compare bots of the"):
            ratings.difference(*two)


@pytest.mark.parametrize("prior", [0, -1, float("inf"), float("nan")])
def test_prior_that_is_no_number_of_pairs_is_refused(prior: float) -> None:
    with pytest.raises(ValueError, match="give a positive number of pairs"):
        rate(pd.DataFrame(), prior=prior)


def test_first_pair_of_too_many_games_is_named(games_of: GamesOf) -> None:
    rows = [("c", "b", "first", 4)] * 3 + [("b", "a", "first", 9)] * 4 + [("a", "b", "draw", 8)] * 3
    told = "games: pair 8 of 'a' and 'b' has 3 games; a pair is two"
    with pytest.raises(LeaderboardError, match=told):
        rate(games_of(rows))


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
    with pytest.raises(LeaderboardError, match="games: the column 'result' is missing"):
        rate(games_of([("a", "b", "first", 0)]).drop(columns="result"))


def test_pair_of_many_games_is_refused(games_of: GamesOf) -> None:
    with pytest.raises(LeaderboardError, match="pair 7 of 'a' and 'b' has 3 games; a pair is two"):
        rate(games_of([("a", "b", "first", 7)] * 3))


def test_games_without_pairs_are_independent(league: GamesOf) -> None:
    games = league({"a": 0, "b": 0}, 100).sort_values(["first", "result"], ignore_index=True)
    alone = rate(games.drop(columns="pair"))
    each = rate(games.assign(pair=np.arange(len(games))))
    assert alone.table["elo"].tolist() == each.table["elo"].tolist()
    assert not any("lack a game in one of the seats" in text for text in alone.warnings)


def test_one_block_of_games_is_rated(games_of: GamesOf) -> None:
    rows = [
        game
        for pair in range(10)
        for game in (
            ("a", "b", "first" if pair else "second", pair),
            ("b", "a", "second" if pair > 2 else "first", pair),
        )
    ]
    blocks = rate(games_of(rows).assign(block=0))
    pairs = rate(games_of(rows))
    assert blocks.difference("b", "a").low < pairs.difference("b", "a").low
    assert blocks.table["elo"].tolist() == pytest.approx(pairs.table["elo"].tolist())


def drawn_out(bots: str, pair: int) -> list[tuple[str, str, str, int]]:
    """A pair of games of each two bots, which share it."""
    return [
        game
        for one, other in itertools.combinations(bots, 2)
        for game in ((one, other, "first", pair), (other, one, "first", pair))
    ]


def lost_by(bot: str, opponents: str, pairs: int, wins: int = 0) -> list[tuple[str, str, str, int]]:
    """Games that a bot lost to all of them, but for some against the last."""
    rows = [
        game
        for opponent in opponents
        for pair in range(pairs)
        for game in ((opponent, bot, "first", pair), (bot, opponent, "second", pair))
    ]
    return [*rows[:-1], (bot, opponents[-1], "first", pairs - 1)] if wins else rows


def test_mean_is_that_of_all_where_one_alone_has_no_bound(games_of: GamesOf) -> None:
    table = rate(games_of(lost_by("b", "a", 10) + lost_by("c", "b", 2))).table
    assert table["bound"].tolist() == ["lower", "", "upper"]
    assert table["elo"].mean() == pytest.approx(1500)
    assert abs(table["elo"][1] - 1500) > 50


@pytest.mark.parametrize(("pairs", "wins"), [(10, 0), (2000, 0), (2000, 1)])
def test_hopeless_bot_does_not_move_the_others(
    league: GamesOf, games_of: GamesOf, pairs: int, wins: int
) -> None:
    games = league({"a": 150, "b": 0, "c": -150}, pairs)
    alone = rate(games).table.set_index("bot")["elo"]
    with_it = rate(pd.concat([games, games_of(lost_by("hopeless", "abc", pairs, wins))]))
    elo = with_it.table.set_index("bot")["elo"]
    for bot in "abc":
        assert elo[bot] == pytest.approx(alone[bot], abs=1)
    assert with_it.table["bot"].tolist()[-1] == "hopeless"


def test_bot_that_beats_only_the_hopeless_has_a_bound_above_theirs(
    league: GamesOf, games_of: GamesOf
) -> None:
    rows = lost_by("worst", "abw", 10) + lost_by("w", "ab", 10)
    table = rate(pd.concat([league({"a": 50, "b": -50}, 50), games_of(rows)])).table
    assert table["bot"].tolist() == ["a", "b", "w", "worst"]
    assert table["bound"].tolist() == ["", "", "upper", "upper"]
    assert table["high"][2] > table["high"][3]


def test_bots_that_met_none_but_the_best_and_the_worst_are_rated_with_them(
    games_of: GamesOf,
) -> None:
    met = [("a", "w"), ("b", "w"), ("t", "a"), ("t", "b")]
    rows = [(winner, loser, "first", 0) for winner, loser in (*met, ("a", "w"))]
    table = rate(games_of(rows).drop(columns="pair")).table
    assert table["bot"].tolist() == ["t", "a", "b", "w"]
    assert table["bound"].tolist() == ["lower", "", "", "upper"]
    assert table["elo"].is_monotonic_decreasing
    assert table["elo"].notna().all()


@pytest.mark.parametrize("anchor", ["a", "b", "d"])
def test_anchor_stands_where_it_was_put_and_differences_stay(league: GamesOf, anchor: str) -> None:
    games = league({"a": 100, "b": 30, "c": -40, "d": -90}, 50)
    free, fixed = rate(games), rate(games, anchor=(anchor, 2000))
    stands = row(fixed, anchor)
    assert [stands[key] for key in ("elo", "low", "high")] == pytest.approx([2000] * 3)
    pairs = list(itertools.pairwise("abcd"))
    for there, here in zip(fixed.leads(pairs), free.leads(pairs), strict=True):
        assert there == pytest.approx(here)
    assert fixed.covariance.loc[anchor, anchor] == pytest.approx(0, abs=1e-6)


def test_newcomers_do_not_move_the_anchor(league: GamesOf) -> None:
    before = league({"a": 100, "b": 0, "c": -100}, 100)
    after = pd.concat([before, league({"b": 0, "new": 700}, 30, seed=4)])
    assert row(rate(after, anchor=("b", 1500)), "a")["elo"] == pytest.approx(
        row(rate(before, anchor=("b", 1500)), "a")["elo"], abs=8
    )


def test_anchor_that_won_everything_fixes_nothing_yet(games_of: GamesOf) -> None:
    ratings = rate(games_of([("a", "b", "first", 0), ("b", "a", "second", 0)]), anchor=("a", 2000))
    assert ratings.anchor is None
    assert "it cannot fix the scale yet" in ratings.warnings[0]


def test_anchor_that_did_not_play_is_refused(games_of: GamesOf) -> None:
    with pytest.raises(LeaderboardError, match="anchor 'c' has no games here; anchor one of a, b"):
        rate(games_of([("a", "b", "first", 0)]), anchor=("c", 2000))


def test_limits_that_say_nothing_are_left_out(games_of: GamesOf) -> None:
    rows = [("a", "b", "first", 0), ("b", "a", "first", 0)]
    table = rate(games_of(rows)).table
    assert table["elo"].tolist() == pytest.approx([1500, 1500])
    assert table[["low", "high"]].isna().to_numpy().all()


def test_games_of_a_block_are_one_unit(league: GamesOf) -> None:
    games = league({"a": 0, "b": 0}, 60)
    alike = games.assign(result=np.where(games["pair"] // 10 % 2, "first", "second"))
    alike["result"] = np.where(
        (alike["first"] == "a") == (alike["result"] == "first"), "first", "second"
    )

    def width(table: pd.DataFrame) -> float:
        bot = row(rate(table), "a")
        return float(bot["high"] - bot["low"])

    assert width(alike.assign(block=alike["pair"] // 10)) > 1.5 * width(alike)


def test_forfeits_may_be_left_out(games_of: GamesOf) -> None:
    rows = [("a", "b", "first", 0), ("b", "a", "first", 0), ("a", "b", "first", 1)]
    games = games_of(rows)
    games["forfeit"] = ["second", None, None]
    table = rate(games, count_forfeits=False).table.set_index("bot")
    assert table["games"].tolist() == [2, 2]
    assert table["forfeits"].tolist() == [0, 0]


def test_without_a_prior_bounded_bots_stand_above_those_they_always_beat(
    league: GamesOf, games_of: GamesOf
) -> None:
    rows = lost_by("z1", "ab", 5) + lost_by("y2", ["a", "b", "z1"], 5)
    won = [
        (first, second, {"first": "second", "second": "first"}[result], pair)
        for first, second, result, pair in lost_by("best", "ab", 5)
    ]
    games = pd.concat([league({"a": 30, "b": 0}, 40), games_of([*rows, *won])])
    table = rate(games, prior=None).table
    assert table["bot"].tolist() == ["best", "a", "b", "z1", "y2"]
    assert table["rank"].tolist() == [1, 2, 3, 4, 5]
    assert table["bound"].tolist() == ["lower", "", "", "upper", "upper"]


def test_two_games_leave_both_ranks_open(games_of: GamesOf) -> None:
    table = rate(games_of([("a", "b", "first", 0), ("b", "a", "second", 0)])).table
    assert table[["best_rank", "worst_rank"]].to_numpy().tolist() == [[1, 2], [1, 2]]


def test_bot_that_lost_all_of_sixty_games_has_the_last_rank(games_of: GamesOf) -> None:
    rows = [game for pair in range(10) for game in drawn_out("abc", pair)]
    games = pd.concat([games_of(rows), games_of(lost_by("last", "abc", 10))])
    table = rate(games.assign(block=0)).table.set_index("bot")
    assert table.loc["last", ["losses", "best_rank", "worst_rank"]].tolist() == [60, 4, 4]
    assert table["best_rank"][:3].tolist() == [1, 1, 1]


def test_first_seat_that_helps_some_pairings_and_harms_others_is_reported(
    games_of: GamesOf,
) -> None:
    rows = []
    for one, other, helps in (("a", "b", True), ("a", "c", False), ("b", "c", True)):
        for pair in range(60):
            seat = "first" if helps == bool(pair % 4) else "second"
            rows += [(one, other, seat, pair), (other, one, seat, pair)]
    ratings = rate(games_of(rows))
    assert any("differs from pairing to pairing" in text for text in ratings.warnings)
    assert ratings.first_seat is not None
    assert ratings.first_seat.high - ratings.first_seat.low > 200


def test_what_ratings_are_made_of_is_not_printed_with_them() -> None:
    hidden = [one.name for one in dataclasses.fields(Ratings) if not one.repr]
    assert hidden == ["_bots", "_estimate"]

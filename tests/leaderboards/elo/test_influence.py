"""One opponent can move a rating: friends that lift a bot are named, honest bots are not."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import pytest

from leaderboards import rate
from leaderboards.display.cells import elo_cells
from leaderboards.elo import influence
from leaderboards.elo.estimate import estimated
from leaderboards.elo.game_counts import field_of
from leaderboards.inputs import checked_games

GamesOf = Callable[[Sequence[tuple[str, str, str, int]]], pd.DataFrame]
League = Callable[..., pd.DataFrame]

PAIRS = 20


def lifted(league: League, games_of: GamesOf, elo: dict[str, float], pairs: int) -> pd.DataFrame:
    """Return the games of a field in which "helper" loses to "friend" on purpose."""
    games = league(elo, pairs)
    between = {"friend", "helper"}
    honest = games[[{row.first, row.second} != between for row in games.itertuples()]]
    given = [
        (first, second, "first" if first == "friend" else "second", pair)
        for pair in range(pairs)
        for first, second in (("friend", "helper"), ("helper", "friend"))
    ]
    return pd.concat([honest, games_of(given)], ignore_index=True)


def moved(games: pd.DataFrame, bot: str, opponent: str) -> "pd.Series[float]":
    table = rate(games).pairings
    return table[(table["bot"] == bot) & (table["opponent"] == opponent)].iloc[0]


def test_helper_that_loses_to_its_friend_is_named(league: League, games_of: GamesOf) -> None:
    elo = {"friend": -600.0, "helper": 200.0, "ada": 0.0, "bob": 0.0}
    ratings = rate(lifted(league, games_of, elo, PAIRS))
    assert ratings.table.set_index("bot")["leans_on"]["friend"] == "helper"
    [told] = [text for text in ratings.warnings if text.startswith("The rating of friend leans on")]
    assert "leans on helper: by its other games it would stand" in told
    assert "leans on" in elo_cells(ratings)[0]
    honest = rate(league(elo, PAIRS))
    gained = ratings.table.set_index("bot")["elo"] - honest.table.set_index("bot")["elo"]
    assert gained["friend"] > 200
    lift = moved(lifted(league, games_of, elo, PAIRS), "friend", "helper")
    assert lift["moved_low"] > 200


@pytest.mark.parametrize("seed", range(5))
def test_honest_bots_lean_on_nobody(league: League, seed: int) -> None:
    elo = dict(zip("abcde", (-400.0, -150.0, 0.0, 100.0, 300.0), strict=True))
    ratings = rate(league(elo, PAIRS, seed=seed))
    assert not ratings.pairings["leans"].any()
    assert set(ratings.table["leans_on"]) == {""}
    assert "leans on" not in elo_cells(ratings)[0]


def test_what_an_opponent_moves_is_what_leaving_its_games_out_moves(
    league: League, games_of: GamesOf
) -> None:
    elo = {"friend": -300.0, "helper": 100.0, "ada": 0.0, "bob": 50.0, "eve": -50.0}
    games = lifted(league, games_of, elo, PAIRS)
    both = {"friend", "helper"}
    rest = games[[{row.first, row.second} != both for row in games.itertuples()]]
    before, after = (rate(table).table.set_index("bot") for table in (games, rest))
    weights = before["weight"].drop(["friend", "helper"])

    def lead(table: pd.DataFrame) -> float:
        others = np.average(table.loc[weights.index, "elo"], weights=weights)
        return float(table.loc["friend", "elo"] - others)

    expected = lead(before) - lead(after)
    assert moved(games, "friend", "helper")["moved"] == pytest.approx(expected, abs=1.0)


def test_one_step_lands_where_a_new_fit_does(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    elo = {f"bot{number}": 60.0 * number for number in range(8)}
    played = field_of(checked_games(league(elo, PAIRS)))
    estimate = estimated(played, 0.25)
    quick = influence.influence_of(played, estimate, 0.25)
    monkeypatch.setattr(influence, "_SMALL_STEP", -1.0)
    exact = influence.influence_of(played, estimate, 0.25)
    assert np.nanmax(np.abs(quick.moved - exact.moved)) < 0.02
    for one, other in ((quick.low, exact.low), (quick.high, exact.high)):
        assert np.nanmax(np.abs(one - other)) < 0.1


def test_nothing_is_known_where_no_other_games_link_the_two(games_of: GamesOf) -> None:
    met = [("a", "b"), ("a", "c"), ("a", "d")]
    rows = [
        game
        for one, other in met
        for pair in range(PAIRS)
        for game in ((one, other, "first", pair), (other, one, "first", pair))
    ]
    table = rate(games_of(rows)).pairings.set_index(["bot", "opponent"])["moved"]
    assert np.isnan(table["b", "a"])
    assert abs(table["a", "b"]) < 1


def test_without_a_prior_nothing_is_left_out(league: League) -> None:
    table = rate(league({"a": 0.0, "b": 0.0, "c": 0.0}, PAIRS), prior=None).pairings
    assert table["moved"].isna().all()
    assert not table["leans"].any()

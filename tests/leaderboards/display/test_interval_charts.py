"""Tests the charts of ratings and of turns: one interval a bot, ranks beside it, room for most."""

from collections.abc import Callable

import pandas as pd

from leaderboards import mean_turns, rate
from leaderboards.display.figures import matrix_figure, shots_figure
from leaderboards.display.interval_charts import elo_figure, turns_figure
from leaderboards.display.palette import styles

GamesOf = Callable[..., pd.DataFrame]


def test_bars_are_the_intervals_of_the_table(league: GamesOf) -> None:
    ratings = rate(league({"a": 0.0, "b": 50.0, "c": 20.0}, 10))
    figure = elo_figure(ratings, styles(["a", "b", "c"]))
    for trace, row in zip(figure.data, ratings.table.to_dict("records"), strict=True):
        [value], [low], [high] = trace.x, trace.error_x.arrayminus, trace.error_x.array
        assert (value, value - low, value + high) == (row["elo"], row["low"], row["high"])


def test_ranks_stand_beside_and_those_that_may_be_first_are_shaded(league: GamesOf) -> None:
    ratings = rate(league({"a": 600.0, "b": 590.0, "c": 0.0}, 40))
    figure = elo_figure(ratings, styles(["a", "b", "c"]))
    assert [note.text for note in figure.layout.annotations] == ["ranks", "1-2", "1-2", "3"]
    assert [(shape.y0, shape.y1) for shape in figure.layout.shapes] == [(-0.5, 0.5), (0.5, 1.5)]


def test_bound_is_drawn_on_one_side_with_a_hollow_mark(games_of: GamesOf) -> None:
    ratings = rate(games_of([("a", "b", "first", 0), ("b", "a", "second", 0)]))
    best, worst = elo_figure(ratings, styles(["a", "b"])).data
    assert best.marker.symbol == "triangle-right-open"
    assert (best.error_x.array[0], worst.error_x.arrayminus[0]) == (0, 0)
    assert best.error_x.arrayminus[0] > 0
    low = ratings.table["low"][0]
    assert f"<br>95%: at least {low:.0f}<br>" in best.hovertemplate


def test_bot_without_a_rating_or_a_bound_is_left_out(games_of: GamesOf) -> None:
    ratings = rate(games_of([("a", "b", "first", 0)]), prior=None)
    figure = elo_figure(ratings, styles(["a", "b"]))
    assert len(figure.data) == 0
    matrix = matrix_figure(ratings).data[0]
    assert "?% predicted" in matrix.hovertext[0][1]


def test_hopeless_bot_is_marked_at_the_edge_with_its_value(league: GamesOf) -> None:
    ratings = rate(league({"a": 100.0, "b": 60.0, "c": 0.0, "hopeless": -2000.0}, 40))
    figure = elo_figure(ratings, styles(["a", "b", "c", "hopeless"]))
    *near, far = figure.data
    low, high = figure.layout.xaxis.range
    assert high - low < 600
    assert all(low < trace.x[0] < high for trace in near)
    elo = ratings.table["elo"].iloc[-1]
    assert far.x == (low,)
    assert far.text[0].strip() == f"{elo:.0f}, off this scale"
    assert f"Elo {elo:.0f}" in far.hovertemplate
    assert far.error_x.array is None


def test_turns_have_the_same_chart(searches: GamesOf) -> None:
    solo = searches(["a", "b", "c"])
    slow = solo[solo["bot"] == "c"].assign(bot="slow", turns=500)
    turns = mean_turns(pd.concat([solo, slow]))
    figure = turns_figure(turns, styles(turns["bot"].tolist()))
    assert figure.data[-1].text[0].strip() == "500.00, off this scale"
    assert figure.layout.xaxis.range[1] < 200
    assert len(figure.layout.annotations) == 5


def test_what_is_told_of_each_number_of_shots_lies_over_its_bin_unseen() -> None:
    shots = [40, 40, 41, 50]
    games = pd.DataFrame({"bot": "a", "layout": range(4), "turns": shots, "shots": shots})
    solo = games.assign(hits=17, forfeit=False)
    outline, bins, _median = shots_figure(solo, mean_turns(solo), styles(["a"])).data
    assert bins.marker.opacity == 0
    assert min(outline.x) <= min(bins.x) < max(bins.x) <= max(outline.x)
    assert sum(float(words.split(": ")[1].split("%")[0]) for words in bins.text) == 100

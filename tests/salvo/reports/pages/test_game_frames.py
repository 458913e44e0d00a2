"""A game that may be in play, salvo by salvo: lines, boards, and what is known of the fleet."""

import pytest
from msgspec.structs import replace

from arena.records import Game
from arena.referee import play_bots
from arena.rules import preset
from bots.hunt_target import HuntTarget
from bots.uniform_random import UniformRandom
from salvo.reports.pages.game_frames import (
    BOARDS,
    frames_of,
    moments_of,
    renamed_game,
    replay_so_far,
    reported_salvos,
)
from salvo.reports.pages.posteriors import Glimpse
from salvo.reports.words.game_text import seat_names

RULES = preset("ramesh-5")


@pytest.fixture(scope="module")
def game() -> Game:
    return play_bots([HuntTarget(), UniformRandom()], RULES, seeds=(1, 2))


@pytest.fixture(scope="module")
def alone() -> Game:
    return play_bots([HuntTarget()], RULES, seeds=(1, 2))


def test_moments_are_the_salvos_with_their_turns(game: Game) -> None:
    moments = list(moments_of(game, RULES))
    assert [moment.number for moment in moments] == list(range(1, len(moments) + 1))
    assert [moment.salvo.by for moment in moments[:4]] == ["first", "second"] * 2
    assert [moment.turn for moment in moments[:4]] == [1, 1, 2, 2]
    assert all(moment.after.salvo is moment.salvo for moment in moments)


def test_game_in_play_is_shown_from_any_salvo_on(game: Game) -> None:
    whole = replay_so_far(game, RULES)
    assert (whole.heading, whole.bots) == ("first against second", ["first", "second"])
    assert (whole.rows, whole.columns) == (list("ABCD"), list("1234"))
    assert (whole.legend, whole.notes) == ([BOARDS], [])
    assert whole.frames[0].lines[0] == "Salvo 1: turn 1, first seat"
    assert whole.frames[3].lines[0] == "Salvo 4: turn 2, second seat"
    assert [len(frame.lines) for frame in whole.frames] == [2] * len(whole.frames)
    late = replay_so_far(game, RULES, after=3)
    assert late.frames[0].lines == whole.frames[3].lines
    assert len(late.frames) == len(whole.frames) - 3


def test_end_is_told_below_the_last_salvo_alone(game: Game) -> None:
    frames = replay_so_far(game, RULES, end="It is over.").frames
    last = len(frames)
    assert frames[0].lines[0] == f"Salvo 1 of {last}: turn 1, first seat"
    assert frames[-1].lines[0].startswith(f"Salvo {last} of {last}: ")
    assert [frame.lines[-1] == "It is over." for frame in frames] == [False] * (last - 1) + [True]
    assert replay_so_far(game, RULES, end="It is over.", after=last).frames == []


def test_rings_mark_the_salvo_on_the_board_that_it_was_fired_at(game: Game) -> None:
    for moment, frame in zip(
        moments_of(game, RULES), replay_so_far(game, RULES).frames, strict=True
    ):
        first, second = frame.panels
        assert (first.kind, second.kind) == ("first seat's ships", "second seat's ships")
        by_first = moment.salvo.by == "first"
        assert first.fired == (() if by_first else moment.salvo.cells)
        assert second.fired == (moment.salvo.cells if by_first else ())


def test_game_alone_has_one_board_and_names_no_seat(alone: Game) -> None:
    shown = replay_so_far(alone, RULES)
    assert shown.bots == ["first"]
    assert shown.heading == "first against the layout"
    assert shown.frames[0].lines[0] == "Salvo 1: turn 1"
    assert [[panel.kind for panel in frame.panels] for frame in shown.frames] == [
        ["ships"] for _ in shown.frames
    ]


def test_what_was_reported_is_told_of_each_salvo(game: Game) -> None:
    told = reported_salvos(game, RULES)
    assert len(told) == len(list(moments_of(game, RULES)))
    assert all(line.startswith(("first shoots at ", "second shoots at ")) for line in told)
    assert reported_salvos(game, RULES, after=2) == told[2:]


def test_chart_beside_the_boards_has_what_was_reported_before(game: Game) -> None:
    moments = list(moments_of(game, RULES))
    known = [Glimpse(None, "nothing is known")] * len(moments)
    frames = frames_of(seat_names(game), RULES, moments, known, None)
    seen: dict[str, dict[int, str]] = {"first": {}, "second": {}}
    for moment, frame in zip(moments, frames, strict=True):
        *_, chart = frame.panels
        assert frame.lines[-1] == "Posterior: nothing is known"
        assert chart.kind == "posterior before the salvo"
        own = seen[moment.salvo.by]
        assert {cell: mark for cell, mark in enumerate(chart.marks) if mark != "water"} == own
        hits = moment.salvo.report.hits
        own |= {cell: "hit" if cell in hits else "miss" for cell in moment.salvo.cells}


def test_bots_are_shown_under_other_names(game: Game, alone: Game) -> None:
    assert renamed_game(game, {"first": "a", "second": "b"}).fixture.seats == {
        "first": "a",
        "second": "b",
    }
    assert renamed_game(game, {"other": "a"}) == game
    assert renamed_game(alone, {"first": "a"}).fixture.second is None
    assert replace(renamed_game(alone, {"first": "a"}), fixture=alone.fixture) == alone


def test_chart_of_counted_hits_knows_cells_where_all_or_none_of_a_salvo_hit() -> None:
    rules = replace(RULES, told="count", sinkings="silent")
    game = play_bots([UniformRandom(), UniformRandom()], rules, seeds=(4, 3))
    moments = list(moments_of(game, rules))
    known = [Glimpse(None, "nothing is known")] * len(moments)
    frames = frames_of(seat_names(game), rules, moments, known, None)
    own: dict[int, str] = {}
    counts = set()
    for moment, frame in zip(moments, frames, strict=True):
        if moment.salvo.by == "first":
            marks = frame.panels[-1].marks
            assert {cell: mark for cell, mark in enumerate(marks) if mark != "water"} == own
            counts.add(moment.salvo.hits)
            if moment.salvo.hits != 1:
                own |= dict.fromkeys(moment.salvo.cells, "hit" if moment.salvo.hits else "miss")
    assert counts == {0, 1, 2}

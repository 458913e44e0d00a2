"""What leaderboards, grades and turns are computed from, in numbers that can be checked by hand."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from arena.league import Charter, Planned
from arena.records import Settings, Termination
from arena.rules import preset
from arena.store import Summary
from salvo.server.database.server_database import Database
from salvo.server.dates import Upcoming, dates_of, moment
from salvo.server.tournaments import note_announced, rule_of
from salvo.server.web import challenging, rendering, shown_games
from salvo.server.work import board_rows, grades, looks, rating, shares
from salvo.server.work.backoff import OUTAGE_S, Backoff
from salvo.server.work.shares import Shares
from tests.salvo.server.conftest import Clock

NAN = math.nan


def test_rest_doubles_with_each_failure_up_to_the_longest(clock: Clock) -> None:
    backoff = Backoff(2.0, 10.0)
    assert (backoff.is_on, backoff.rests) == (False, False)
    for number, rest_s in enumerate((2.0, 4.0, 8.0, 10.0, 10.0)):
        assert backoff.failed() == (number == 0)
        clock.now += rest_s - 0.5
        assert not backoff.failed()  # it was begun before it failed elsewhere
        assert (backoff.is_on, backoff.rests) == (True, True)
        clock.now += 0.5
        assert (backoff.is_on, backoff.rests) == (True, False)
    backoff.succeeded()
    assert (backoff.is_on, backoff.rests) == (False, False)
    assert backoff.failed()
    clock.now += 2.0
    assert not backoff.rests


def test_rest_of_an_outage_is_a_minute_and_an_hour_at_last(clock: Clock) -> None:
    backoff = Backoff(*OUTAGE_S)
    rests = []
    for _ in range(8):
        backoff.failed()
        rests.append(backoff._rest_s / 60)
        clock.now += 3600
    assert rests == [1, 2, 4, 8, 16, 32, 60, 60]


def block(*entrants: str, fixtures: int = 2) -> Any:  # noqa: ANN401 - what stands in for a block
    return SimpleNamespace(entrants=entrants, key=(entrants, 0), fixtures=range(fixtures))


def test_time_of_a_block_is_what_was_charged_and_half_of_the_rest(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "_charged", Counter)
    with Database(tmp_path) as db:
        used = Shares(db, Settings(game_s=45.0))
        used.renew({"ada": 1, "bob": 2})

        def played(one: Any, took_s: float, record: Any) -> None:  # noqa: ANN401 - stand-ins
            used.begin(one)
            clock.now += took_s
            used.end(one, record)

        def minutes() -> list[int]:
            return [used.minutes(bot) for bot in ("ada@1", "bob@7", "hunt_target@1")]

        def seconds() -> dict[int, float]:
            return dict(db.execute("SELECT invite, seconds FROM used"))

        both = block("ada@1", "bob@1", fixtures=4)
        used.begin(both)
        assert minutes() == [3, 3, 0]  # as much as it can take: four games of 45 s
        clock.now += 100
        used.end(both, {"ada@1": 10.0, "bob@1": 30.0})
        assert seconds() == {0: 0.0, 1: 40.0, 2: 60.0}
        assert minutes() == [0, 1, 0]
        played(block("ada@1"), 20, {"ada@1": 50.0})  # what workers did side by side is no rest
        assert seconds() == {0: 40.0, 1: 90.0, 2: 60.0}
        played(block("bob@1"), 20, None)  # void
        assert seconds() == {0: 60.0, 1: 90.0, 2: 60.0}
        assert minutes() == [1, 1, 1]
        played(block("hunt_target@1"), 60, {"hunt_target@1": 60.0})
        assert seconds() == {0: 120.0, 1: 90.0, 2: 60.0}
        used.renew({"ada": 1, "cy": 3})
        assert seconds() == {0: 120.0, 1: 90.0, 2: 60.0, 3: 60.0}


def game(first: str, second: str | None, **more: Any) -> Any:  # noqa: ANN401 - stands in for a game
    seats = {"first": first} if second is None else {"first": first, "second": second}
    fixture = SimpleNamespace(first=first, second=second, seats=seats)
    return SimpleNamespace(fixture=fixture, **more)


def steps(*charges: tuple[str, float]) -> list[Any]:
    return [SimpleNamespace(seat=seat, charge_s=charge_s) for seat, charge_s in charges]


def test_each_bot_is_charged_what_it_took_in_either_seat() -> None:
    games = [
        game("a@1", "b@1", steps=steps(("first", 0.5), ("second", 2.0), ("first", 0.25))),
        game("b@1", "a@1", steps=steps(("first", 4.0), ("second", 8.0))),
    ]
    record: Any = SimpleNamespace(games=games)
    assert shares._charged(record) == {"a@1": 8.75, "b@1": 6.0}


def entry(name: str, version: int, state: str) -> Any:  # noqa: ANN401 - stands in for an entry
    return SimpleNamespace(name=name, version=version, state=state, full_name=f"{name}@{version}")


@pytest.mark.parametrize(("field", "former"), [(1, 63), (47, 17), (48, 16), (60, 16)])
def test_field_is_compared_with_so_many_former_versions(field: int, former: int) -> None:
    entries = [entry("ada", version, "former") for version in range(1, 71)]
    entries += [entry("ada", 71, "current")]
    entries += [entry(f"bot{number}", 1, "current") for number in range(field - 1)]
    kept = rating.compared(entries)
    assert kept == entries[70 - former :]


def test_former_versions_that_are_compared_are_the_newest_of_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rating, "_MOST_VERSIONS", 5)
    monkeypatch.setattr(rating, "_LEAST_FORMER", 1)
    entries = [entry("ada", version, "former") for version in (1, 2, 3)]
    entries += [entry("bob", 1, "former"), entry("ada", 4, "current"), entry("bob", 2, "current")]
    kept = [one.full_name for one in rating.compared(entries)]
    assert kept == ["ada@2", "ada@3", "bob@1", "ada@4", "bob@2"]


@pytest.mark.parametrize(
    ("row", "point"),
    [
        ({"elo": 1500.0, "low": 1400.0, "high": 1650.0}, (3, 1500.0, 1400.0, 1650.0)),
        ({"elo": 1500.0, "low": NAN, "high": 1650.0}, (3, 1500.0, 1500.0, 1650.0)),
        ({"elo": 1500.0, "low": 1400.0, "high": NAN}, (3, 1500.0, 1400.0, 1500.0)),
        ({"elo": NAN, "low": NAN, "high": NAN}, None),
        ({}, None),
    ],
)
def test_point_of_a_version_is_its_rating_with_the_interval(
    row: Mapping[str, float], point: tuple[float, ...] | None
) -> None:
    assert rating._point("3", row) == point


def ratings(**columns: Sequence[object]) -> Any:  # noqa: ANN401 - stands in for ratings
    return SimpleNamespace(table=pd.DataFrame(columns))


def test_pairings_that_ratings_lean_on_are_named_once() -> None:
    leaning = ratings(bot=list("abcde"), leans_on=["b", "a", "a", "", "c"])
    assert rating._leaning(leaning) == [("a", "b"), ("c", "a"), ("e", "c")]
    assert rating._leaning(None) == []


class Blocks:
    """A record of solo blocks, the newest first, each of one game with one answer."""

    def __init__(self, *blocks: tuple[int, str]) -> None:
        self._blocks = blocks
        self.read: list[Any] = []

    def newest_blocks(self, _: str) -> Any:  # noqa: ANN401 - an iterator
        for number, name in self._blocks:
            yield number, ((name,), number)

    def blocks(self, _: str, keys: Sequence[Any]) -> Any:  # noqa: ANN401 - an iterator
        self.read += [number for _, number in keys]
        for key in keys:
            one = game(key[0][0], None, steps=steps(("first", key[1] / 1000)))
            yield SimpleNamespace(block=SimpleNamespace(key=key), games=[one])


def test_answers_of_the_three_latest_blocks_of_each_bot_are_looked_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rating, "latency", lambda answers: dict(answers) or None)
    monkeypatch.setattr(rating, "describe_latency", lambda found: found)
    league: Any = SimpleNamespace(
        entries=[
            entry("ada", 1, "former"),
            entry("ada", 2, "current"),
            entry("bob", 1, "current"),
            entry("new", 1, "current"),
        ]
    )
    former = ((5, "ada@1"), (4, "bob@1"), (3, "ada@1"), (2, "gone@1"), (1, "ada@1"))
    store: Any = Blocks((6, "ada@2"), *former)
    found = rating.latencies(league, store, None)
    assert found == {
        "ada": {"blocks": [6, 5, 3], "latency": {6000: 1, 5000: 1, 3000: 1}},
        "bob": {"blocks": [4], "latency": {4000: 1}},
    }
    assert store.read == [3, 5, 6, 4]
    later: Any = Blocks((7, "bob@1"), (6, "ada@2"), *former)
    kept = {name: one | {"latency": "kept"} for name, one in found.items()}
    assert rating.latencies(league, later, kept) == {
        "ada": {"blocks": [6, 5, 3], "latency": "kept"},
        "bob": {"blocks": [7, 4], "latency": {7000: 1, 4000: 1}},
    }
    assert later.read == [4, 7]


def test_rows_have_the_interval_of_each_bot_on_the_scale_of_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = {
        "bot": ["ada", "bob", "cy", "dee"],
        "elo": [1600.0, 1500.0, 1500.0, NAN],
        "low": [1500.0, 1399.5, NAN, NAN],
        "high": [1700.0, 1600.0, 1600.0, NAN],
        "best_rank": [1, 1, 2, 3],
    }
    monkeypatch.setattr(board_rows, "elo_cells", lambda _: [{"bot": name} for name in table["bot"]])
    standing: Any = SimpleNamespace(ratings=ratings(**table), reports={"bob": "a report"})
    rows = board_rows.elo_rows(standing)
    assert [(row.name, row.provisional, row.may_lead) for row in rows] == [
        ("ada", False, True),
        ("bob", True, True),
        ("cy", True, False),
        ("dee", True, False),
    ]
    assert [row.cells[board_rows.REPORTS] for row in rows] == ["", "a report", "", ""]
    # From 1387.48 to 1712.02.
    assert [row.bar for row in rows] == [(347, 655, 963), (37, 347, 655), (0, 347, 655), None]
    standing.reports = {}
    assert next(row.cells for row in board_rows.elo_rows(standing)) == {"bot": "ada"}
    assert board_rows.elo_rows(SimpleNamespace(ratings=None)) == []  # type: ignore[arg-type]
    assert board_rows.turns_rows(SimpleNamespace(turns=None)) == []  # type: ignore[arg-type]


def test_bar_of_a_value_without_an_upper_end_goes_to_the_edge() -> None:
    scale = board_rows.Scale(0.0, 100.0)
    told = {"bot": "a", "best_rank": 1}
    row = board_rows._row(told, {}, board_rows.Estimated(50.0, 20.0, NAN), scale)
    assert (row.bar, row.off) == ((200, 500, 1000), 0)
    row = board_rows._row(told, {}, board_rows.Estimated(-5.0, -9.0, 1.0), scale)
    assert (row.bar, row.off) == ((0, 0, 10), -1)


def test_who_forfeits_is_counted_and_who_crashes_as_a_share_of_all_games() -> None:
    games = [
        ("a", "b", None, Termination.SUNK),
        ("a", "b", "first", Termination.EXITED),
        ("b", "a", "first", Termination.TIMEOUT),
        ("b", "a", "second", Termination.UNSTARTED),
    ]
    columns = ["first", "second", "forfeit", "termination"]
    searches = [("a", None, "first", Termination.BARRED), ("a", None, None, Termination.SUNK)]
    standing: Any = SimpleNamespace(
        games=pd.DataFrame(games, columns=columns, dtype=object),
        searches=pd.DataFrame(searches, columns=columns, dtype=object),
    )
    assert grades._losses(standing) == {
        "a": {"games": 6, "forfeits": 3, "crash_share": 0.5},
        "b": {"games": 4, "forfeits": 1, "crash_share": 0.0},
    }
    standing.searches = pd.DataFrame([searches[0]] * 3, columns=columns, dtype=object)
    assert grades._losses(standing)["a"]["crash_share"] == 0.7143


@pytest.mark.parametrize(
    ("bosses", "able"),
    [((), ["a", "c"]), (("a",), ["b", "c"]), (("a", "c"), ["b"]), ("abc", ["a", "c"])],
)
def test_nobody_may_win_whom_one_that_can_win_surely_beats(
    bosses: Sequence[str], able: list[str]
) -> None:
    found = ratings(bot=["a", "b", "c"])
    names = list("abc")
    found.sure = pd.DataFrame(
        [[False, True, False], [False, False, False], [False, False, False]], names, names
    )
    assert looks.contenders(found, bosses) == able
    assert looks.contenders(None, bosses) == []


NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def planned(name: str, at: datetime = NOON, games: int = 100, looks: int = 3) -> Planned:
    return Planned(name=name, at=at, games=games, looks=looks, seed="1")


@pytest.mark.parametrize(
    ("at", "phase", "refusal", "upcoming"),
    [
        (NOON - SECOND, "before", "bots come in from 2026-06-01 12:00 UTC on", ["one", "final"]),
        (NOON, "open", "", ["two", "final"]),
        (NOON + 2 * SECOND, "open", "", ["final"]),
        (
            NOON + 3 * SECOND,
            "closed",
            "bots came in until 2026-06-01 12:00 UTC, and versions are frozen",
            ["final"],
        ),
        (
            NOON + 4 * SECOND,
            "closed",
            "bots came in until 2026-06-01 12:00 UTC, and versions are frozen",
            [],
        ),
    ],
)
def test_dates_hold_to_the_second(
    at: datetime, phase: str, refusal: str, upcoming: list[str]
) -> None:
    tournaments = (
        planned("one"),
        planned("two", NOON + SECOND),
        planned("three", NOON + 2 * SECOND),
        planned("final", NOON + 4 * SECOND),
    )
    charter = Charter(rules=preset("ramesh-1"), seed="1", opens=NOON, closes=NOON + 3 * SECOND)
    charter_with: Any = SimpleNamespace(
        opens=charter.opens, closes=charter.closes, tournaments=tournaments
    )
    dates = dates_of(charter_with, at)
    assert (dates.phase, dates.refusal, dates.planned) == (phase, refusal, True)
    assert [one.name for one in dates.upcoming] == upcoming
    assert not dates_of(charter, at).planned


def test_moment_is_told_in_utc() -> None:
    assert moment(datetime.fromisoformat("2026-06-01T12:30:59+02:00")) == "2026-06-01 10:30 UTC"
    assert moment(None) == ""
    assert Upcoming("final", NOON) == Upcoming("final", NOON)


def test_rule_of_a_tournament_names_each_size_at_which_it_is_looked_at() -> None:
    told = "Everybody meets everybody, in blocks of 20 games, seats swapped in pairs."
    assert rule_of(planned("a", games=30, looks=1), 10) == (
        f"{told} The result counts after 30 games a pairing."
    )
    assert rule_of(planned("a", games=110, looks=3), 10) == (
        f"{told} After 40, 80 and 110 games a pairing the result is looked at. It ends when one "
        "bot is surely better than all others that can win, with 95% confidence at all looks "
        "together, and after 110 games a pairing at the latest. Bosses play, and cannot win."
    )


@pytest.mark.parametrize(("looks", "words"), [(1, "1 look"), (2, "2 looks")])
def test_announcement_is_noted_for_everybody(tmp_path: Path, looks: int, words: str) -> None:
    with Database(tmp_path) as db:
        told = note_announced(db, planned("a", looks=looks))
        assert told == (
            f"tournament a begins on 2026-06-01 12:00 UTC: at most 100 games a pairing, {words}; "
            f"the fingerprint of its seed is {planned('a').fingerprint}"
        )
        assert [line for _, line in db.log(9)] == [told]


def test_score_of_a_challenge_counts_who_won() -> None:
    challenge: Any = SimpleNamespace(bot="a@1", opponent="b@1", state="done", reason="")
    games = [
        game("a@1", "b@1", result="first"),
        game("b@1", "a@1", result="first"),
        game("a@1", "b@1", result="draw"),
        game("b@1", "a@1", result="second"),
    ]
    assert challenging._score(challenge, games) == challenging.Score(
        "a@1", "b@1", "done", "", games=4, won=2, lost=1
    )


def test_rows_of_games_name_who_won() -> None:
    ended = Termination.SUNK
    games = [
        Summary("1", "a", "b", "first", ended, None, 9, 1),
        Summary("2", "a", "b", "second", ended, "first", 9, 1),
        Summary("3", "a", "b", "draw", ended, None, 9, 1),
        Summary("4", "a", None, "first", ended, None, 9, 1),
        Summary("5", "a", None, "second", ended, None, 9, 1),
    ]
    rows = shown_games.game_rows(games)
    assert [row.winner for row in rows] == ["a", "b", None, "a", "the layout"]
    assert rows[1] == shown_games.GameRow("2", "a", "b", "b", str(ended), "first", 9)


def test_bar_shows_an_interval_and_on_which_side_a_value_is_off() -> None:
    def drawn(off: int, *bar: int) -> str:
        row: Any = SimpleNamespace(bar=bar, off=off)
        svg = str(rendering._bar(row))
        return svg.partition('class="range" d="')[2].removesuffix('"/></svg>')

    inner = '"/><path class="middle" d="'
    assert drawn(0, 100, 200, 300) == f"M100 20H300{inner}M200 6V34"
    assert drawn(0, 100, 100, 103) == f"M100 20H104{inner}M100 6V34"
    assert drawn(1, 900, 1000, 1000) == f"M900 20H1000{inner}M980 4L1000 20L980 36"
    assert drawn(-1, 0, 0, 10) == f"M0 20H10{inner}M20 4L0 20L20 36"


def test_history_of_versions_is_drawn_on_a_scale_of_all() -> None:
    svg = str(rendering._history([(1, 0.0, -50.0, 50.0), (3, 100.0, 60.0, 174.0)]))
    assert svg.partition('its 95% interval">')[2] == (
        '<path class="line" d="M68.0 121.0L566.0 71.0"/>'
        '<path class="range" d="M68.0 146.0V96.0"/><circle cx="68.0" cy="121.0" r="5"/>'
        '<text x="68.0" y="172">1</text>'
        '<path class="range" d="M566.0 91.0V34.0"/><circle cx="566.0" cy="71.0" r="5"/>'
        '<text x="566.0" y="172">3</text>'
        '<text class="axis" x="48" y="150.0">-50</text>'
        '<text class="axis" x="48" y="38.0">174</text></svg>'
    )

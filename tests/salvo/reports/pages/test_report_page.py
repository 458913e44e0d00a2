"""What a report says of a tournament and of each bot, part by part."""

import json
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from arena.rules import Rules, Ship, preset
from arena.store import Look
from salvo.reports.pages import report_page
from salvo.reports.pages.report_page import (
    _about,
    _amounts,
    _brief,
    _fleets_by_chance,
    _heat_maps,
    _pace,
    _promises,
    _repeat_command,
    _settings,
    _standing,
)
from salvo.reports.standings.standing import Standing
from salvo.reports.tables.survey import CellCounts, Survey
from tests.salvo.reports.standings.records import Record, alone, met, tournament

SMALL = Rules(
    name="small", rows=2, columns=3, fleet=(Ship("Long", 3), Ship("Short", 2)), shots="afloat"
)
NOBODY = Survey({}, {}, {})
PLAYED = (met("a", "b", "wwlw"), met("a", "c", "wl"), alone("a", 20, 22, 21), alone("b", 25, 30))


def standing(*rows: Any, kind: str = "tournament", **changed: Any) -> Standing:  # noqa: ANN401 - games, and fields of a tournament
    played = replace(tournament("abc", kind), **changed)
    record: Any = Record(played, *rows)
    return Standing(record, played)


def test_number_of_games_is_told_by_kind() -> None:
    assert _about(standing(*PLAYED)) == "first: 6 games between two bots and 5 solo games"
    assert _about(standing(*PLAYED[:2])) == "first: 6 games between two bots"
    assert _about(standing(*PLAYED[2:])) == "first: 5 solo games"
    assert _about(standing()) == "first: no games"


def test_amounts_are_spans_where_they_differ() -> None:
    assert _amounts(standing(*PLAYED, block_pairs=10)) == {
        "Games a pairing": (
            "2 to 4, in pairs with seats swapped; by the same two processes for 20 games at most"
        ),
        "Solo games a bot": "2 to 3, each bot on layouts of its own",
    }
    same = standing(PLAYED[0], PLAYED[3], common_layouts=True)
    assert _amounts(same)["Games a pairing"].startswith("4, in pairs")
    assert _amounts(same)["Solo games a bot"] == "2, all bots on the same layouts"
    assert _amounts(standing()) == {}


def test_settings_name_times_and_a_challenger() -> None:
    told = _settings(standing(*PLAYED))
    assert told["Time"] == "10 s to load, 2 s a move, 60 s a game"
    assert told["Seed"] == "1"
    assert "Gauntlet" not in told
    assert _settings(standing(*PLAYED, gauntlet="b"))["Gauntlet"] == "b against all others"


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ({"level": "lite", "promises": {"files": True, "network": True}}, "lite"),
        (
            {"level": "lite", "promises": {"files": True, "network": False, "memory": False}},
            "lite, without network, memory",
        ),
        (
            {"in_process": ["a", "b"]},
            "none for a and b, which played in the arena's process",
        ),
    ],
)
def test_isolation_is_told_with_what_did_not_hold(record: dict[str, Any], told: str) -> None:
    assert _promises(json.dumps(record)) == told


@pytest.mark.parametrize(
    ("kind", "kept", "looks", "amount"),
    [
        ("tournament", slice(4), (), (4, 3)),
        ("tournament", slice(2), (), (4, 0)),
        ("tournament", slice(2, 4), (), (0, 3)),
        ("swiss", slice(4), (Look(20), Look(10)), (40, 3)),
        ("swiss", slice(4), (), (0, 3)),
    ],
)
def test_command_plays_as_much_again(
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    kept: slice,
    looks: tuple[Look, ...],
    amount: tuple[int, int],
) -> None:
    told: list[Any] = []
    monkeypatch.setattr(report_page, "repeat_command", lambda _, *given: told.extend(given))
    played = tournament("abc", kind)
    record: Any = Record(played, *PLAYED[kept], looks=looks)
    shown = Standing(record, played)
    levels = ({"level": "none"}, {"level": "lite"}, {"level": "none"}, {"in_process": ["a"]})
    shown.isolation = [json.dumps(level) for level in levels]
    _repeat_command(shown, record)
    assert told == [*amount, ["lite", "none"]]


def test_bot_is_told_with_the_decimals_of_the_tables() -> None:
    shown = standing(*PLAYED)
    assert shown.ratings is not None
    elo = dict(zip(shown.ratings.table["bot"], shown.ratings.table["elo"], strict=True))
    assert _brief(shown, "a") == f"Elo {elo['a']:.0f}, 21.00 turns"
    assert _brief(shown, "c") == f"Elo {elo['c']:.0f}"
    assert [line.split()[0] for line in _standing(shown, "a")] == ["a", "Alone"]
    assert [line.split()[0] for line in _standing(shown, "c")] == ["c"]
    assert _standing(standing(), "a") == []


def test_pace_of_a_bot_is_told_where_it_answered() -> None:
    survey = Survey({"a": Counter({1000: 99, 2000: 1}), "b": Counter()}, {}, {})
    assert _pace(survey, "a") == [
        "Of its 100 answers half took up to 1 ms, 95% up to 1 ms; the slowest took 2 ms."
    ]
    assert _pace(survey, "b") == _pace(survey, "c") == []


def test_heat_maps_are_of_shots_and_fleets_where_there_are_any() -> None:
    shots = CellCounts(Counter({0: 2, 5: 1}), 3)
    fleets = CellCounts(Counter(range(5)), 1)
    survey = Survey({}, {"a": shots}, {"a": fleets})
    first, fleet = _heat_maps(survey, "a", SMALL, [6, 5, 4, 3, 2, 1])
    assert (first.counts, first.games, first.together) == ([2, 0, 0, 0, 0, 1], 3, 1.0)
    assert (first.rows, first.columns, first.by_chance) == (["A", "B"], ["1", "2", "3"], ())
    assert (fleet.counts, fleet.games, fleet.by_chance) == ([1] * 5 + [0], 1, [6, 5, 4, 3, 2, 1])
    assert fleet.together == (3 * 3 + 2 * 2) / 5
    assert _heat_maps(NOBODY, "a", SMALL, []) == []


def test_fleets_by_chance_are_those_of_two_thousand_layouts() -> None:
    rules = replace(preset("row-5-3"), fleet=(Ship("Ship", 3),))
    counts = _fleets_by_chance(rules)
    assert counts[2] == 2000  # of the three places in the row, each has the middle
    assert counts[0] + counts[3] == counts[1] + counts[4] == 2000
    assert counts[0] == pytest.approx(2000 / 3, rel=0.1)

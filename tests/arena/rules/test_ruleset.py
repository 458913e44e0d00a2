"""Rule sets: presets, TOML, and errors that name field, constraint, value and fix."""

import re
import time
from typing import Any

import msgspec
import pytest

from arena.errors import RulesError
from arena.rules import PRESETS, Rules, Ship, preset, rules_from_toml, view

TOML = """
name = "{name}"
rows = {rows}
columns = {columns}
shots = {shots}
fleet = {fleet}
"""

GOOD = {
    "name": "small",
    "rows": "4",
    "columns": "5",
    "shots": "2",
    "fleet": '[{ name = "Ferry", length = 3 }, { name = "Tug", length = 1 }]',
}


def read(**fields: str) -> Rules:
    return rules_from_toml(TOML.format(**GOOD | fields), "mine.toml")


def fleet_of(*lengths: int) -> str:
    lines = (f'{{ name = "{n}", length = {length} }}' for n, length in enumerate(lengths))
    return f"[{', '.join(lines)}]"


def refusal(text: str) -> str:
    with pytest.raises(RulesError) as caught:
        rules_from_toml(text, "mine.toml")
    return str(caught.value)


def ships(*lengths: int) -> tuple[Ship, ...]:
    return tuple(Ship(f"ship {number}", length) for number, length in enumerate(lengths))


def test_presets_are_the_games_they_are_named_after() -> None:
    salvo, classic = preset("salvo"), preset("classic")
    assert [(ship.name, ship.length) for ship in salvo.fleet] == [
        ("Carrier", 5),
        ("Battleship", 4),
        ("Destroyer", 3),
        ("Submarine", 3),
        ("Patrol boat", 2),
    ]
    assert (salvo.rows, salvo.columns, salvo.cells, salvo.shots) == (10, 10, 100, "afloat")
    assert msgspec.structs.replace(classic, name="salvo", shots="afloat") == salvo
    assert classic.shots == 1


def test_every_preset_bears_its_name_and_a_line() -> None:
    for name, (rules, line) in PRESETS.items():
        assert rules.name == name
        assert line


def test_an_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RulesError, match=r"'slavo'.*did you mean 'salvo'.*classic, .*or the path"):
        preset("slavo")


def test_a_file_says_what_it_says() -> None:
    expected = Rules(
        name="small", rows=4, columns=5, fleet=(Ship("Ferry", 3), Ship("Tug", 1)), shots=2
    )
    assert read() == expected
    assert read(shots='"afloat"') == msgspec.structs.replace(expected, shots="afloat")


def test_shots_default_to_one() -> None:
    text = TOML.format(**GOOD).replace("shots = 2", "")
    assert rules_from_toml(text, "mine.toml").shots == 1


def test_ships_may_have_equal_lengths() -> None:
    assert [ship.length for ship in read(fleet=fleet_of(2, 2, 2)).fleet] == [2, 2, 2]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"rows": "0"}, ["rows", ">= 1", "found '0'"]),
        ({"rows": "65"}, ["rows", "<= 64", "found '65'"]),
        ({"rows": "1" * 40}, ["rows", "<= 64"]),
        ({"rows": "4.0"}, ["rows", "`int`", "`float`", "found '4.0'"]),
        ({"rows": "nan"}, ["rows", "`int`", "`float`"]),
        ({"columns": "true"}, ["columns", "`int`", "`bool`", "found 'True'"]),
        ({"columns": '"ten"'}, ["columns", "`int`", "`str`", "found 'ten'"]),
        ({"columns": "[1]"}, ["columns", "`int`", "`array`"]),
        ({"columns": "1979-05-27"}, ["columns", "`int`", "`date`"]),
        ({"name": ""}, ["name", ">= 1", "found ''"]),
        ({"name": "n" * 41}, ["name", "<= 40"]),
        ({"shots": "0"}, ["shots", ">= 1", "found '0'"]),
        ({"shots": "4097"}, ["shots", "<= 4096", "found '4097'"]),
        ({"shots": '"all"'}, ["shots", "found 'all'"]),
        ({"shots": "true"}, ["shots", "`bool`"]),
        ({"fleet": "[]"}, ["fleet", ">= 1", "found '[]'"]),
        ({"fleet": "3"}, ["fleet", "`array`", "`int`", "found '3'"]),
        ({"fleet": "[3]"}, ["fleet[0]", "`object`", "`int`", "found '3'"]),
        ({"fleet": '[{ name = "A" }]'}, ["fleet[0]", "missing", "`length`"]),
        ({"fleet": '[{ name = "A", length = 0 }]'}, ["fleet[0].length", ">= 1", "found '0'"]),
        ({"fleet": '[{ name = "", length = 1 }]'}, ["fleet[0].name", ">= 1"]),
        ({"fleet": '[{ name = "A", length = 1, x = 2 }]'}, ["fleet[0]", "unknown field `x`"]),
        ({"fleet": '[{ name = "A", length = 65 }]'}, ["fleet[0].length", "<= 64", "found '65'"]),
        ({"fleet": '[{ name = "A", length = 1, shots = -1 }]'}, ["fleet[0].shots", ">= 0"]),
        ({"fleet": '[{ name = "A", length = 1, shots = 65 }]'}, ["fleet[0].shots", "<= 64"]),
        ({"fleet": f'[{{ name = "{"n" * 41}", length = 1 }}]'}, ["fleet[0].name", "<= 40"]),
        ({"fleet": fleet_of(*[1] * 65)}, ["fleet", "<= 64"]),
        ({"shots": "1\nturn_limit = 0"}, ["turn_limit", ">= 1", "found '0'"]),
        ({"shots": "1\nturn_limit = 100001"}, ["turn_limit", "<= 100000", "found '100001'"]),
        ({"shots": "1\ncountdown = -1"}, ["countdown", ">= 0", "found '-1'"]),
        ({"shots": "1\ncountdown = 100001"}, ["countdown", "<= 100000", "found '100001'"]),
        ({"shots": "1\nlies = -1"}, ["lies", ">= 0", "found '-1'"]),
        ({"shots": "1\nlies = 4097"}, ["lies", "<= 4096", "found '4097'"]),
        ({"shots": "1\nshot = 1"}, ["unknown field `shot`", "the fields are rows, columns"]),
        (
            {"fleet": '[{ name = "A", length = 1 }, { name = "A", length = 2 }]'},
            ["fleet", "'A' appears twice", "give each ship its own name"],
        ),
        (
            {"fleet": '[{ name = "A", length = 6 }]'},
            ["fleet", "6 cells", "4 x 5", "enlarge the board or shorten the fleet"],
        ),
    ],
)
def test_a_bad_field_is_named_with_its_constraint_and_value(
    fields: dict[str, str], told: list[str]
) -> None:
    message = refusal(TOML.format(**GOOD | fields))
    assert message.startswith("rules file mine.toml: ")
    assert [part for part in told if part not in message] == []
    assert len(message.splitlines()) == 1


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"moves": True}, "moves: ships may move onto cells that were shot before; set reshoot to"),
        ({"countdown": 3}, "countdown: 3, but there is no turn limit; set turn_limit"),
        (
            {"countdown": 10, "turn_limit": 9},
            "countdown: 10 of 9 turns; make it shorter than turn_limit",
        ),
        (
            {"shots": "by-ship", "fleet": (Ship("A", 2), Ship("B", 2, 0))},
            "shots: by-ship, but a ship gives no shots and a seat could be left with it alone",
        ),
        (
            {"lies": 2, "told": "count"},
            "lies: 2, but cells are not reported, so none can be lied about; set told to cells",
        ),
        (
            {"lies": 2, "sinkings": "silent"},
            "lies: 2, but sinkings, about which nobody may lie, are silent; set sinkings to",
        ),
        ({"fleet_known": False}, "fleet_known: false, but the names of sunk ships would reveal"),
        (
            {"fleet_known": False, "sinkings": "silent", "shots": "afloat"},
            "fleet_known: false, but in solo games the shots due (afloat) would reveal the fleet",
        ),
        (
            {"fleet_known": False, "sinkings": "silent", "told": "count-by-ship"},
            "fleet_known: false, but the names of ships hit would reveal the fleet; set told to",
        ),
        (
            {"hits_named": True, "told": "count"},
            "hits_named: true, but hits are reported as count, not each by itself; set told to",
        ),
        (
            {"hits_named": True, "lies": 1},
            "hits_named: true, but with 1 lies a hit may be no ship's; set lies to 0",
        ),
        (
            {"hits_named": True, "fleet_known": False, "sinkings": "silent"},
            "hits_named: true, but the names of ships hit would reveal the fleet; set fleet_known",
        ),
        (
            {"sunk_cells": True, "sinkings": "unnamed"},
            "sunk_cells: true, but sinkings are unnamed; set sinkings to named",
        ),
    ],
)
def test_fields_that_contradict_each_other_are_refused(fields: dict[str, Any], told: str) -> None:
    usual = {"name": "mine", "rows": 4, "columns": 4, "fleet": ships(2)}
    with pytest.raises(RulesError, match=f"^rules 'mine', {re.escape(told)}"):
        Rules(**{**usual, **fields})


@pytest.mark.parametrize(
    "fields",
    [
        {"moves": True, "reshoot": True},
        {"reshoot": True},
        {"countdown": 9, "turn_limit": 9},
        {"turn_limit": 9},
        {"fleet": (Ship("A", 2), Ship("B", 2, 0))},
        {"fleet": (Ship("A", 2), Ship("B", 2, 3)), "shots": "by-ship"},
        {"lies": 2},
        {"lies": 2, "sinkings": "unnamed"},
        {"fleet_known": False, "sinkings": "unnamed", "told": "count", "shots": 3},
        {"hits_named": True, "sunk_cells": True},
        {"told": "count-by-ship", "sinkings": "silent"},
    ],
)
def test_unusual_fields_that_agree_are_taken(fields: dict[str, Any]) -> None:
    usual = {"name": "mine", "rows": 4, "columns": 4, "fleet": ships(2)}
    rules = Rules(**{**usual, **fields})
    assert {name: getattr(rules, name) for name in fields} == fields


def test_word_that_is_none_of_a_field_is_refused_with_those_that_are() -> None:
    assert refusal(TOML.format(**GOOD) + 'told = "all"') == (
        "rules file mine.toml: told: found 'all', which is none of "
        "'cells', 'count', 'count-by-ship'"
    )
    assert refusal(TOML.format(**GOOD | {"shots": '"all"'})) == (
        "rules file mine.toml: shots: Invalid enum value 'all', found 'all'; "
        "`salvo rules NAME` says what each field may be"
    )


def test_long_value_is_cut_where_it_is_shown() -> None:
    assert refusal(TOML.format(**GOOD | {"name": "n" * 81})) == (
        f"rules file mine.toml: name: Expected `str` of length <= 40, found '{'n' * 80}'; "
        "`salvo rules NAME` says what each field may be"
    )


@pytest.mark.parametrize("text", ["rows = ", "a = [" * 9999, "\0", "[rows", "rows = 1\nrows = 2"])
def test_what_is_no_toml_is_refused(text: str) -> None:
    assert refusal(text).startswith("rules file mine.toml: not TOML: ")


def test_a_missing_field_is_named() -> None:
    assert "missing required field `columns`" in refusal("rows = 3")


@pytest.mark.parametrize(
    ("rows", "columns", "lengths"),
    [
        (3, 3, [4]),
        (1, 1, [1, 1]),
        (2, 2, [2, 2, 1]),
        (10, 10, [5] * 21),
        (3, 3, [3, 3, 2, 2]),  # as many cells as there are, and no way to lay them
        (9, 9, [4] * 20 + [2]),
        (8, 8, [5] * 13),
        (64, 64, [64] * 64 + [1]),
        (63, 64, [64] * 64),
    ],
)
def test_a_fleet_that_cannot_fit_is_refused_quickly(
    rows: int, columns: int, lengths: list[int]
) -> None:
    started = time.process_time()
    with pytest.raises(RulesError, match="enlarge the board or shorten the fleet"):
        Rules(name="full", rows=rows, columns=columns, fleet=ships(*lengths))
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("rows", "columns", "lengths"),
    [
        (1, 1, [1]),
        (2, 2, [2, 2]),
        (3, 3, [3, 3, 3]),
        (3, 3, [2, 2, 2, 2, 1]),
        (10, 10, [5] * 20),
        (64, 64, [64] * 64),
        (1, 64, [32, 31, 1]),
    ],
)
def test_a_fleet_that_fits_is_found_to_fit(rows: int, columns: int, lengths: list[int]) -> None:
    rules = Rules(name="full", rows=rows, columns=columns, fleet=ships(*lengths))
    assert len(rules.fleet) == len(lengths)


@pytest.mark.parametrize(
    ("rows", "columns", "lengths"),
    [
        (2, 5, [1, 1, 2]),  # only if the ship of two is not where it lies first
        (3, 5, [1, 2, 2, 3]),  # only if a shorter ship lies before a longer one
    ],
)
def test_fleet_that_may_not_touch_is_found_to_fit(
    rows: int, columns: int, lengths: list[int]
) -> None:
    fleet = ships(*lengths)
    rules = Rules(name="apart", rows=rows, columns=columns, fleet=fleet, touching="never")
    assert len(rules.fleet) == len(lengths)


@pytest.mark.parametrize("lengths", [[4] * 15, [64] * 60])
def test_a_file_whose_board_is_too_full_to_draw_layouts_is_refused_quickly(
    lengths: list[int],
) -> None:
    side = "64" if max(lengths) > 10 else "10"
    started = time.process_time()
    message = refusal(
        TOML.format(**GOOD | {"rows": side, "columns": side, "fleet": fleet_of(*lengths)})
    )
    assert f"{sum(lengths)} of {int(side) ** 2} cells are too many" in message
    assert time.process_time() - started < 10


@pytest.mark.parametrize(("shots", "full"), [(7, 7), ("afloat", 3), ("by-ship", 6)])
def test_whole_fleet_gives_a_full_salvo(shots: Any, full: int) -> None:  # noqa: ANN401 - a field
    fleet = (Ship("A", 2, 3), Ship("B", 1, 2), Ship("C", 1))
    assert Rules(name="mine", rows=4, columns=4, fleet=fleet, shots=shots).full_salvo == full


@pytest.mark.parametrize(
    ("known", "places", "sees"),
    [
        (True, False, (1, 1)),
        (True, True, (1, 1)),
        (False, True, (1, None)),
        (False, False, (0, None)),
    ],
)
def test_bot_sees_an_unknown_fleet_only_where_it_places_it(
    *, known: bool, places: bool, sees: tuple[int, int | None]
) -> None:
    rules = Rules(
        name="mine", rows=4, columns=4, fleet=ships(2), fleet_known=known, sinkings="silent"
    )
    told = view(rules, places=places)
    assert told.fleet == rules.fleet[: sees[0]]
    assert told.opponent_fleet == (None if sees[1] is None else rules.fleet)


def test_a_bot_sees_both_fleets_and_the_shots() -> None:
    rules = preset("salvo")
    told = view(rules)
    assert (told.rows, told.columns, told.cells) == (10, 10, 100)
    assert told.fleet == told.opponent_fleet == rules.fleet
    assert told.shots == "afloat"
    assert not hasattr(told, "name")


def test_rules_are_frozen() -> None:
    with pytest.raises(AttributeError):
        preset("salvo").rows = 11  # type: ignore[misc]

"""CSV that a spreadsheet shows as it is."""

import csv
import io
import math

import pandas as pd
import pytest

from leaderboards.display.spreadsheet import csv_of


def cell(value: object) -> str:
    """Return what a cell reads as."""
    text = csv_of(pd.DataFrame({"a": [value], "b": ["x"]}))
    return str(next(csv.DictReader(io.StringIO(text, newline="")))["a"])


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@sum(a1)", "\t=1"])
def test_text_that_a_spreadsheet_would_run_is_made_text(text: str) -> None:
    assert cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["hunt_target", "a=b", "1e5", "", "'=1", 'ä, "b"\nc'])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert cell(text) == text


@pytest.mark.parametrize(("number", "text"), [(-1, "-1"), (-0.25, "-0.25"), (math.nan, "")])
def test_numbers_stay_numbers(number: float, text: str) -> None:
    assert cell(number) == text


@pytest.mark.parametrize("mark", "\r\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2069")
def test_what_turns_or_breaks_text_is_written_as_its_code(mark: str) -> None:
    assert cell(f"bot{mark}tob") == f"bot\\u{ord(mark):04x}tob"


def test_a_mark_does_not_hide_what_a_spreadsheet_would_run() -> None:
    assert cell("\u202e=1+1") == "\\u202e=1+1"


def test_numbers_of_a_column_of_mixed_kinds_stay_numbers() -> None:
    table = pd.DataFrame({"a": pd.Series([-1, "-1", None], dtype=object)})
    assert csv_of(table) == 'a\n-1\n\'-1\n""\n'

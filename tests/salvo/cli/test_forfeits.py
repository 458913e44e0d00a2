"""What was not played at all is named, and the exit code says so."""

from types import SimpleNamespace
from typing import Any

import click
import pytest

from arena.store import RESULT_COLUMNS
from arena.tournament import PutOff
from salvo.cli.runs.forfeits import Unplayed, exit_if_unplayed, exit_unstarted, put_off, unplayed


def store_of(*games: tuple[str, str | None, str | None]) -> Any:  # noqa: ANN401
    """Return what stands in for a record of games: both bots, and the seat that forfeited."""
    rows = []
    for first, second, forfeit in games:
        row = dict.fromkeys(RESULT_COLUMNS) | {"first": first, "second": second, "forfeit": forfeit}
        rows.append(tuple(row[column] for column in RESULT_COLUMNS))
    return SimpleNamespace(results=lambda _: rows)


def test_match_is_unplayed_where_every_game_is_a_forfeit() -> None:
    store = store_of(
        *[("a", "b", "second"), ("b", "a", "first")],
        *[("a", "c", "first"), ("c", "a", None)],
        *[("c", "b", "first"), ("b", "c", "first")],
        *[("b", None, "first"), ("c", None, None), ("c", None, "first")],
    )
    assert {(*sorted(one.names), "by", *sorted(one.losers)) for one in unplayed(store, "x")} == {
        *[("a", "b", "by", "b"), ("b", "c", "by", "b", "c"), ("b", "by", "b")]
    }
    assert unplayed(store_of(), "x") == []


def test_what_was_put_off_is_unplayed_by_the_fault_of_one() -> None:
    [one] = put_off([PutOff(("a", "chat"), "chat", "is out")] * 2)
    assert (one.names, one.losers) == (frozenset({"a", "chat"}), frozenset({"chat"}))
    assert one.why.startswith("2 blocks not played, since chat is out")


def test_exit_code_is_3_and_each_match_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    matches = [
        Unplayed(frozenset({"b", "a"}), frozenset({"b"})),
        Unplayed(frozenset({"a"}), frozenset({"a"}), "no answer"),
    ]
    with pytest.raises(click.exceptions.Exit) as end:
        exit_if_unplayed(matches)
    assert end.value.exit_code == 3
    assert capsys.readouterr().err.splitlines() == [
        "salvo: solo of a: no answer",
        "salvo: match of a and b: every game was a forfeit",
    ]
    exit_if_unplayed([])
    assert capsys.readouterr().err == ""


def test_exit_code_is_3_where_nobody_starts(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(click.exceptions.Exit) as end:
        exit_unstarted(["a", "b"])
    assert end.value.exit_code == 3
    told = "salvo: nothing was played, since none of these bots starts: a, b\n"
    assert capsys.readouterr().err == told

"""What went wrong while games were played, in words."""

from types import SimpleNamespace
from typing import Any

import pytest

from arena.origin import Origin
from arena.records import Void
from arena.store import RESULT_COLUMNS
from arena.tournament import PutOff
from salvo.playing.mishaps import (
    describe_forfeits,
    describe_overload,
    describe_put_off,
    describe_voids,
)


def origins(*loads: float | None) -> list[Origin]:
    return [Origin("2026-01-02T03:04:05Z", "1.0.0", "a machine", {}, load) for load in loads]


def test_interrupted_games_are_counted_by_bot_and_cause() -> None:
    voids = [
        Void("a", 0, "slow", "killed"),
        Void("a", 1, "slow", "killed"),
        Void("b", 0, "chat", "no answer", outage=True),
        Void("c", 0, "best", "killed"),
        Void("d", 0, "best", "no answer", outage=True),
        Void("e", 0, "best", "no answer", outage=True),
    ]
    again = "they were void, and played again on other seeds"
    killed = "its process was killed from outside or did not get the processor in"
    assert list(describe_voids(voids)) == [
        f"best: said in 2 games that it could not go on; {again}",
        f"chat: said in 1 game that it could not go on; {again}",
        f"best: {killed} 1 game, which were played again on other seeds",
        f"slow: {killed} 2 games, which were played again on other seeds",
    ]
    assert list(describe_voids([])) == []


def test_blocks_that_were_put_off_are_counted_by_match() -> None:
    one = PutOff(("a", "chat"), "chat", "said that it is not available")
    other = PutOff(("b", "chat"), "chat", "said that it is not available")
    rest = "since chat said that it is not available; the same again plays what is missing"
    assert list(describe_put_off([one, other, one])) == [
        (one, f"2 blocks not played, {rest}"),
        (other, f"1 block not played, {rest}"),
    ]


@pytest.mark.parametrize("loads", [(), (None, None), (1.5, 0.2, None)])
def test_machine_that_kept_up_is_not_blamed(loads: tuple[float | None, ...]) -> None:
    assert describe_overload(origins(*loads)) is None


def test_overloaded_machine_is_blamed_for_games_lost_by_time() -> None:
    told = describe_overload(origins(1.51, 4.25, 1.0, None))
    assert told == (
        "2 of the 4 games that were lost by time were played where up to 4.2 threads shared a "
        "processor: that may be why; play fewer blocks at once there"
    )


def store_of(*games: tuple[str, str | None, str | None, str, str]) -> Any:  # noqa: ANN401
    """Return what stands in for a record of games: both bots, who forfeited, how, and why."""
    rows = []
    for first, second, forfeit, termination, reason in games:
        row: dict[str, object] = dict.fromkeys(RESULT_COLUMNS)
        row |= {"first": first, "second": second, "forfeit": forfeit}
        row |= {"termination": termination, "reason": reason}
        rows.append(tuple(row[column] for column in RESULT_COLUMNS))
    return SimpleNamespace(results=lambda _: rows)


def test_bots_that_forfeited_are_told_with_their_commonest_reason() -> None:
    names = ("quick", "slow", "never")
    tournament: Any = SimpleNamespace(
        name="first", entrants=[SimpleNamespace(name=name) for name in names]
    )
    store = store_of(
        ("quick", "slow", "second", "timeout", "it took long"),
        ("slow", "quick", "first", "barred", "it had forfeited"),
        ("slow", "quick", "first", "barred", "it had forfeited"),
        ("slow", None, "first", "exited", "b" * 500),
        ("slow", None, "first", "exited", "b" * 500),
        ("quick", None, "first", "exited", "y"),
        ("quick", None, "first", "exited", "x"),
        ("quick", "never", None, "sunk", ""),
        ("never", None, None, "sunk", ""),
    )
    see = "`salvo games --forfeits --tournament first` shows all, and its stderr"
    assert list(describe_forfeits(tournament, store)) == [
        f"quick forfeited 2 of 6 games, mostly because: x; {see}",
        f"slow forfeited 5 of 5 games, mostly because: {'b' * 400}; {see}",
    ]

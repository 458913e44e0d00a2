"""What went wrong while games were played, in words."""

import pytest

from arena.origin import Origin
from arena.records import Void
from arena.tournament import PutOff
from salvo.playing.mishaps import describe_overload, describe_put_off, describe_voids


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

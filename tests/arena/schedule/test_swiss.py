"""Swiss rounds: nobody meets twice while it can be helped, and near ones meet first."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

import pytest

from arena.records import Outcome
from arena.schedule.rounds import Pairing
from arena.schedule.swiss import Swiss

NAMES = [str(number) for number in range(20)]
"""Names of tournaments: each draws other rounds."""


def rounds_of(
    bots: Sequence[str], name: str, rounds: int, far: Sequence[Sequence[int]] | None = None
) -> list[list[Pairing]]:
    near = [[0] * len(bots) for _ in bots]
    draw = Swiss(bots, name, lambda _played: far or near)
    played: list[list[Outcome]] = []
    drawn = []
    for _ in range(rounds):
        drawn.append(draw(played, len(bots) // 2))
        played += [[Outcome(one, other, 0, "draw")] for one, other in drawn[-1]]
    return drawn


@pytest.mark.parametrize("name", NAMES)
def test_all_meet_all_equally_often_where_a_round_is_never_in_the_way_of_the_next(
    name: str,
) -> None:
    for rounds in (3, 6):
        met = Counter(chain.from_iterable(rounds_of("abcd", name, rounds)))
        assert len(met) == 6
        assert set(met.values()) == {rounds // 3}


def test_few_meet_twice_before_all_have_met() -> None:
    met = [Counter(chain.from_iterable(rounds_of("abcdefgh", name, 7))) for name in NAMES]
    again = [28 - len(once) for once in met]  # of 28 pairings
    assert sum(again) <= len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_near_ones_meet_before_far_ones(name: str) -> None:
    far = [[int((one < 4) != (other < 4)) for other in range(8)] for one in range(8)]
    met = Counter(chain.from_iterable(rounds_of("abcdefgh", name, 3, far)))
    assert set(met.values()) == {1}
    assert all((one in "abcd") == (other in "abcd") for one, other in met)


def test_all_sit_out_in_turn() -> None:
    for name in NAMES:
        playing = [set(chain.from_iterable(drawn)) for drawn in rounds_of("abcde", name, 5)]
        assert Counter(bot for bots in playing for bot in bots) == dict.fromkeys("abcde", 4)


def test_rounds_stay_what_they_were() -> None:
    # Else a tournament that was begun before could not be extended.
    far = [[abs(one - other) for other in range(7)] for one in range(7)]
    drawn = rounds_of("abcdefg", "cup", 8, far)
    assert [" ".join(map("".join, pairs)) for pairs in drawn] == [
        "de ac fg",
        "cd ef ab",
        "eg bc ad",
        "af bd cg",
        "be dg cf",
        "ae df bg",
        "ag bf ce",
        "ab ce fg",
    ]
    drawn = rounds_of("abcdef", "cup", 6)
    assert [" ".join(map("".join, pairs)) for pairs in drawn] == [
        "ef ad bc",
        "cf ae bd",
        "be cd af",
        "bf ac de",
        "ab ce df",
        "ad bf ce",
    ]

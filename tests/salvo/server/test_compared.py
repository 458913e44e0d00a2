"""The pages of bots compare their versions, as many as are rated within seconds."""

import pytest

from arena.league import Entry
from salvo.server.work.rating import compared


def entries(bots: int, versions: int) -> list[Entry]:
    return [
        Entry(
            name=f"bot{bot}",
            version=version,
            digest="",
            words=(),
            state="current" if version == versions else "replaced",
        )
        for version in range(1, versions + 1)
        for bot in range(bots)
    ]


def test_all_versions_of_a_small_league_are_compared() -> None:
    assert compared(entries(8, 8)) == entries(8, 8)


def test_newest_versions_of_a_class_are_compared() -> None:
    found = compared(entries(30, 10))
    assert len(found) == 64
    assert {one.version for one in found} == {10, 9, 8}
    assert sum(one.version == 9 for one in found) == 30


@pytest.mark.parametrize("bots", [64, 500])
def test_field_is_compared_whole_however_large(bots: int) -> None:
    found = compared(entries(bots, 2))
    assert sum(one.version == 2 for one in found) == bots
    assert len(found) == bots + 16

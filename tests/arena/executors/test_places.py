"""Blocks of waiting bots take no worker's place, and hold up no other block."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from arena.executors.places import BESIDE_MOST, HELD_MOST, Blocks, Places
from arena.records import Block


def computing(number: int) -> Block:
    return Block(("a",), number, ())


def waiting(number: int) -> Block:
    return Block(("w",), number, ())


def waits(block: Block) -> bool:
    return "w" in block.entrants


def busy(places: Places, *blocks: Block) -> Places:
    worker: Any = SimpleNamespace
    places.busy = [worker(block=block) for block in blocks]
    return places


def taken(blocks: Blocks, places: Places) -> list[Block]:
    """Return the blocks that begin, one after another, until there is no room or none is left."""
    found: list[Block] = []
    while (block := blocks.take()) is not None:
        found.append(block)
        busy(places, *(one.block for one in places.busy), block)
    return found


def blocks_of(places: Places, blocks: Sequence[Block], *, stop: bool = False) -> Blocks:
    left = iter(blocks)
    return Blocks(lambda: next(left, None), places, lambda: stop)


def test_each_worker_has_one_block() -> None:
    places = Places(2, None)
    assert places.has_room()
    assert places.fits(waiting(0))
    assert busy(places, computing(0)).has_room()
    assert not busy(places, computing(0), waiting(1)).has_room()
    assert not places.fits(waiting(2))


def test_blocks_that_wait_are_beside_those_of_the_workers() -> None:
    places = Places(1, waits)
    most = [waiting(number) for number in range(BESIDE_MOST)]
    for some, one_more, another in (
        ([], True, True),
        ([computing(0)], False, True),
        (most[1:], True, True),
        (most, True, False),
        ([computing(0), *most[1:]], False, True),
        ([computing(0), *most], False, False),
    ):
        busy(places, *some)
        assert places.fits(computing(9)) is one_more
        assert places.fits(waiting(9)) is another
        assert places.has_room() is (one_more or another)


def test_block_without_room_is_held_back_for_one_that_has_some() -> None:
    places = Places(1, waits)
    blocks = blocks_of(places, [computing(0), computing(1), waiting(2), computing(3), waiting(4)])
    assert taken(blocks, places) == [computing(0), waiting(2), waiting(4)]
    busy(places)
    assert taken(blocks, places) == [computing(1)]
    busy(places)
    assert taken(blocks, places) == [computing(3)]
    busy(places)
    assert taken(blocks, places) == []


def test_so_many_blocks_are_held_back_and_no_more() -> None:
    places = busy(Places(1, waits), computing(0))
    many = [computing(number) for number in range(1, HELD_MOST + 2)]
    blocks = blocks_of(places, [*many[:-1], waiting(0), many[-1]])
    assert blocks.take() is None
    busy(places)
    assert blocks.take() == computing(1)
    busy(places, computing(1))
    assert blocks.take() == waiting(0)


def test_block_that_is_played_anew_comes_first_also_at_the_end() -> None:
    for stop in (False, True):
        places = Places(1, waits)
        busy(places, computing(0))
        blocks = blocks_of(places, [computing(1), waiting(2)], stop=stop)
        assert blocks.take() == waiting(2)  # the other is held back
        blocks.replay(computing(0))
        busy(places)
        assert blocks.take() == computing(0)
        assert blocks.take() == (None if stop else computing(1))
        assert blocks.take() is None

"""The origins of blocks are kept beside them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.origin import Introduced, Origin, origin_of
from arena.records import BlockRecord
from arena.store import Store, Tournament

MakeTournament = Callable[..., Tournament]
MakeBlocks = Callable[..., list[BlockRecord]]

ORIGIN = Origin("2026-11-22T03:05:10Z", "0.1.0", "a machine", {"a": Introduced("A", "me", "2")})


@pytest.fixture
def cup(make_tournament: MakeTournament) -> Tournament:
    return make_tournament("a")


@pytest.fixture
def record(cup: Tournament, make_blocks: MakeBlocks) -> BlockRecord:
    [block] = make_blocks(cup, games=0, layouts=3)
    return replace(block, origin=ORIGIN)


def test_origin_is_read_back_as_it_was_kept(
    store: Store, path: Path, cup: Tournament, record: BlockRecord
) -> None:
    store.enter(cup)
    store.add(cup, record)
    with Store(path, create=False) as again:
        assert again.origins(cup.name) == [ORIGIN]


def test_record_without_origins_has_none(
    store: Store, cup: Tournament, record: BlockRecord
) -> None:
    store.enter(cup)
    store.add(cup, replace(record, origin=None))
    assert store.origins(cup.name) == []


def test_origin_of_a_block_that_was_extended_is_the_later_one(
    store: Store, cup: Tournament, record: BlockRecord, make_blocks: MakeBlocks
) -> None:
    store.enter(cup)
    store.add(cup, record)
    [longer] = make_blocks(cup, games=0, layouts=5)
    later = replace(ORIGIN, at="2026-11-23T03:05:10Z")
    store.add(cup, replace(longer, origin=later))
    assert store.origins(cup.name) == [later]


def test_origin_names_the_version_and_the_class_of_the_machine_but_not_the_machine() -> None:
    here = origin_of({})
    assert here.at.endswith("Z")
    assert "core" in here.machine
    assert "Python" in here.machine

"""The records of shards become one record, or a line says why they do not."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.entrants import Entrant
from arena.errors import RecordError
from arena.isolation import Program
from arena.records import Block, BlockRecord, Fixture, Game, Settings, Shard, Tally
from arena.rules import preset
from arena.schedule import ShardPlan
from arena.store import Look, Store, Tournament
from arena.tournament import make_plan
from arena.tournament.merging import merge
from tests.games import ended

CUP = Tournament(
    name="cup",
    kind="tournament",
    rules=preset("salvo"),
    seed="1",
    settings=Settings(),
    entrants=tuple(Entrant(bot, Program((bot,), "/", ()), bot * 64) for bot in "ab"),
    block_pairs=2,
)

Write = Callable[..., Path]


def game_of(fixture: Fixture) -> Game:
    return ended(fixture, tallies=(Tally(1, 2, 1), Tally(1, 2, 0)))


def played(blocks: Iterable[Block]) -> list[BlockRecord]:
    return [BlockRecord(block, tuple(map(game_of, block.fixtures)), "none") for block in blocks]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return what writes the record of a shard, but for some blocks at its end."""

    def write(  # noqa: PLR0913 - named where it is called
        number: int,
        of: int = 3,
        *,
        games: int = 12,
        layouts: int = 0,
        without: int = 0,
        cup: Tournament = CUP,
        name: str = "",
    ) -> Path:
        path = tmp_path / (name or f"{number}.sqlite3")
        shard = Shard(number, of, games, layouts)
        blocks = list(ShardPlan(make_plan(cup, games=games, layouts=layouts), shard).blocks())
        with Store(path, create=True) as store:
            store.enter(cup)
            store.note_shard(cup.name, shard)
            store.add_all(cup, played(blocks[: len(blocks) - without]))
        return path

    return write


def refusal(paths: list[Path], into: Path) -> str:
    with pytest.raises(RecordError) as refused:
        merge(paths, into)
    assert into in paths or not into.exists()
    return str(refused.value)


@pytest.mark.parametrize(
    ("games", "layouts", "looks"), [(12, 0, [Look(6)]), (0, 60, []), (2, 3, [Look(1)])]
)
def test_merged_record_has_all_blocks_and_was_looked_at_once(
    write: Write, tmp_path: Path, games: int, layouts: int, looks: list[Look]
) -> None:
    paths = [write(number, games=games, layouts=layouts) for number in (2, 3, 1)]
    tournament, plan = merge(paths, tmp_path / "merged")
    assert (tournament, plan) == (CUP, make_plan(CUP, games=games, layouts=layouts))
    with Store(tmp_path / "merged", create=False) as store:
        assert store.tournament() == CUP
        assert store.looks("cup") == looks
        assert store.shard("cup") is None
        assert store.played("cup") == {block.key: len(block.fixtures) for block in plan.blocks()}


@pytest.mark.parametrize(
    ("there", "told"),
    [
        ([1, 3], "shard 2 of 3 is missing; name its record too"),
        ([2], "shards 1, 3 of 3 are missing; name their records too"),
        ([3], "shards 1 to 2 of 3 are missing; name their records too"),
    ],
)
def test_shards_that_are_missing_are_named(
    write: Write, tmp_path: Path, there: list[int], told: str
) -> None:
    assert refusal(list(map(write, there)), tmp_path / "merged") == told


def test_shard_that_is_there_twice_is_named_with_its_records(write: Write, tmp_path: Path) -> None:
    paths = [write(1), write(2), write(3), write(2, name="copy.sqlite3")]
    assert refusal(paths, tmp_path / "merged") == (
        f"shard 2/3 is there more than once, in {paths[1]} and {paths[3]}; leave one out"
    )


def test_shard_that_is_not_played_to_its_end_is_named(write: Write, tmp_path: Path) -> None:
    paths = [write(1, 2, games=20), write(2, 2, games=20, without=1)]
    assert refusal(paths, tmp_path / "merged") == (
        f"shard 2/2 ({paths[1]}) has 8 of its 12 games; run its command again, which plays the "
        "others"
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"cup": replace(CUP, name="bowl")}, "the tournament's name: cup and bowl"),
        ({"of": 4}, "the number of shards: 3 and 4"),
        ({"games": 16}, "--games: 12 and 16"),
        ({"layouts": 5}, "--layouts: 0 and 5"),
        ({"games": 16, "cup": replace(CUP, seed="2")}, 'seed: "1" and "2"'),
    ],
)
def test_shards_of_different_tournaments_are_refused(
    write: Write, tmp_path: Path, given: dict[str, object], told: str
) -> None:
    paths = [write(1), write(2), write(3, **given)]
    assert refusal(paths, tmp_path / "merged") == (
        f"records {paths[0]} and {paths[2]} do not belong together; they differ in {told}"
    )


def test_record_is_not_merged_into_itself(write: Write) -> None:
    paths = [write(1), write(2), write(3)]
    assert refusal(paths, paths[1]) == (
        f"--db {paths[1]}: it is one of the records to be merged; name another file"
    )


def test_record_that_is_no_shard_is_refused(write: Write, tmp_path: Path) -> None:
    with Store(tmp_path / "whole", create=True) as store:
        store.enter(CUP)
    assert refusal([write(1), tmp_path / "whole"], tmp_path / "merged") == (
        f"record {tmp_path / 'whole'}: its tournament 'cup' was not played with --shard; leave "
        "it out"
    )


def test_record_that_is_not_there_is_not_made(write: Write, tmp_path: Path) -> None:
    paths = [write(1), tmp_path / "2.sqlite3"]
    assert "there is no such file" in refusal(paths, tmp_path / "merged")
    assert not paths[1].exists()

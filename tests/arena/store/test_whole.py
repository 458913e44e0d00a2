"""A record to which everything is written, or nothing."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import RecordError
from arena.store import Store, Tournament
from arena.store.whole import open_whole

MakeTournament = Callable[..., Tournament]


class Stopped(Exception):  # noqa: N818 - not an error of the record
    """Breaks off the writing, as a full disk or a Ctrl-C would."""


def names(path: Path) -> list[str]:
    with Store(path, create=False) as store:
        return store.tournament_names()


def stop_after(path: Path, tournament: Tournament) -> None:
    with open_whole(path) as store:
        store.enter(tournament)
        raise Stopped


def files(path: Path) -> list[str]:
    return sorted(place.name for place in path.parent.iterdir())


@pytest.mark.parametrize("empty", [False, True])
def test_new_record_is_there_once_it_is_whole(
    path: Path, make_tournament: MakeTournament, *, empty: bool
) -> None:
    if empty:
        path.touch()
    path.with_name(f"{path.name}.merging").write_text("of a killed process", "utf-8")
    with open_whole(path) as store:
        store.enter(make_tournament())
        assert path.exists() is empty
        assert not empty or path.read_bytes() == b""
    assert files(path) == [path.name]
    assert names(path) == ["cup"]


def test_nothing_is_left_of_a_new_record_that_was_not_finished(
    path: Path, make_tournament: MakeTournament
) -> None:
    with pytest.raises(Stopped):
        stop_after(path, make_tournament())
    assert files(path) == []


def test_record_that_is_there_is_added_to_or_left_as_it_was(
    path: Path, make_tournament: MakeTournament
) -> None:
    with Store(path, create=True) as store:
        store.enter(make_tournament())
    with pytest.raises(Stopped):
        stop_after(path, make_tournament(name="bowl"))
    assert names(path) == ["cup"]
    with open_whole(path) as store:
        store.enter(make_tournament(name="bowl"))
    assert names(path) == ["cup", "bowl"]


def test_record_that_another_program_made_meanwhile_is_kept(
    path: Path, make_tournament: MakeTournament
) -> None:
    def write_both() -> None:
        with open_whole(path) as mine:
            mine.enter(make_tournament())
            with Store(path, create=True) as other:
                other.enter(make_tournament(name="bowl"))

    with pytest.raises(RecordError, match="another program has made it in the meantime; name"):
        write_both()
    assert names(path) == ["bowl"]


def test_what_is_left_beside_a_record_that_was_deleted_is_no_part_of_a_new_one(
    path: Path, make_tournament: MakeTournament
) -> None:
    for end in ("-wal", "-shm", "-journal"):
        Path(f"{path}{end}").write_text("of another", "utf-8")
    with open_whole(path) as store:
        store.enter(make_tournament())
    assert names(path) == ["cup"]
    assert "of another" not in [place.read_text("latin-1") for place in path.parent.iterdir()]


def test_nothing_there_stays_open(path: Path, make_tournament: MakeTournament) -> None:
    for name in ("cup", "bowl"):
        with open_whole(path) as store:
            store.enter(make_tournament(name=name))
    places = [Path(os.path.realpath(one)) for one in Path("/proc/self/fd").iterdir()]
    assert not [place for place in places if place.is_relative_to(path.parent.resolve())]

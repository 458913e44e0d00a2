"""The next game of a person against a bot."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from arena.checksums import with_checksum
from arena.entrants import Entrant
from arena.human_game import GameOptions, enter_person, next_game
from arena.isolation import Program
from arena.records import Block, BlockRecord, Fixture
from arena.rules import Seat, preset
from arena.seeds import Seeds
from arena.store import Store
from tests.games import ended

RULES = preset("classic")
ANN = enter_person("ann")
BOT = Entrant("bot", Program(("bot",), "/", ()), "ab" * 32)


def record(block: Block) -> BlockRecord:
    [fixture] = block.fixtures
    game = ended(fixture)
    return with_checksum(BlockRecord(block, (game,), "{}"))


def played(
    path: Path, seats: list[Seat | None], *, person: Entrant = ANN, bot: Entrant = BOT
) -> list[tuple[int, str, str | None, int]]:
    """Play games one after another; return the number of each block, its seats, and its pair."""
    told = []
    for seat in seats:
        with Store(path, create=True) as store:
            options = GameOptions(seat=seat, seed=5)
            tournament, block = next_game(store, RULES, (person, bot), options)
            store.extend(tournament)
            store.add(tournament, record(block))
        [fixture] = block.fixtures
        assert block.entrants == (min(fixture.seats.values()), max(fixture.seats.values()))
        told.append((block.number, fixture.first, fixture.second, fixture.pair))
    return told


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.sqlite3"


def test_seats_alternate_and_the_person_begins(path: Path) -> None:
    assert played(path, [None] * 4) == [
        (0, "ann", "bot", 0),
        (1, "bot", "ann", 0),
        (2, "ann", "bot", 1),
        (3, "bot", "ann", 1),
    ]


def test_seat_that_is_asked_for_is_taken_and_the_others_come_later(path: Path) -> None:
    assert played(path, ["second", "second", None, "first", None]) == [
        (1, "bot", "ann", 0),
        (3, "bot", "ann", 1),
        (0, "ann", "bot", 0),
        (2, "ann", "bot", 1),
        (4, "ann", "bot", 2),
    ]


def test_name_that_comes_after_the_bots_changes_numbers_and_no_seats(path: Path) -> None:
    zoe = enter_person("zoe")
    assert played(path, [None] * 3, person=zoe) == [
        (1, "zoe", "bot", 0),
        (0, "bot", "zoe", 0),
        (3, "zoe", "bot", 1),
    ]


def test_bot_that_has_changed_is_another(path: Path) -> None:
    changed, again = replace(BOT, digest="cd" * 32), replace(BOT, digest="ef" * 32)
    assert played(path, [None]) == [(0, "ann", "bot", 0)]
    assert played(path, [None], bot=changed) == [(0, "ann", "bot@2", 0)]
    assert played(path, [None], bot=again) == [(0, "ann", "bot@3", 0)]
    assert played(path, [None], bot=changed) == [(1, "bot@2", "ann", 0)]
    assert played(path, [None]) == [(1, "bot", "ann", 0)]


def test_rated_games_are_apart_and_games_have_seeds_of_their_own(path: Path) -> None:
    with Store(path, create=True) as store:
        tournament, block = next_game(store, RULES, (ANN, BOT), GameOptions())
        rated, same = next_game(store, RULES, (ANN, BOT), GameOptions(rated=True, seed=5))
        assert tournament.name.startswith("play-")
        assert rated.name == f"rated-{tournament.name.removeprefix('play-')}"
        assert (tournament.kind, tournament.seed) == ("play", "")
        [drawn], [given] = block.fixtures, same.fixtures
        assert given.seeds == Seeds(5, RULES).of_game("ann", "bot", 0)
        assert len(given.id) == 16
        assert given.id != drawn.id
        _, other = next_game(store, RULES, (ANN, BOT), GameOptions())
        assert isinstance(other.fixtures[0], Fixture)
        assert other.fixtures[0].seeds != drawn.seeds


def test_seeds_that_are_drawn_are_read_exactly_by_every_language(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    largest = SimpleNamespace(getrandbits=lambda bits: 2**bits - 1)
    monkeypatch.setattr("arena.human_game.SystemRandom", lambda: largest)
    with Store(path, create=True) as store:
        _, block = next_game(store, RULES, (ANN, BOT), GameOptions())
    assert block.fixtures[0].seeds == (2**53 - 1, 2**53 - 1)

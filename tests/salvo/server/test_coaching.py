"""What a person who plays is told about where ships may lie, by counting; and recorded games."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.isolation import Choice, Level
from arena.player import Fault
from arena.protocol import Layout, Shots, encode
from arena.records import Fixture, Game, Termination
from arena.resumed_game import from_line
from arena.rules import preset
from arena.scorebook import Scorebook
from arena.store import Store
from salvo.server.database.analyses import Analyses
from salvo.server.database.human_games import HumanGames
from salvo.server.database.server_database import Database
from salvo.server.work.coaching import analyse
from salvo.server.work.recording import game_in_record, record_game, record_into

RULES = preset("ramesh-1")  # a ship of four on four by four cells: four rows and four columns
OWN = encode(Layout("", {"Ship of 4": (0, 1, 2, 3)}))
THEIRS = encode(Layout("", {"Ship of 4": (4, 5, 6, 7)}))
SHOTS = [encode(Shots("", (cell,))) for cell in (5, 0, 10)]
EQUALLY = " It counts every layout as equally likely, which a bot need not do."


class Coached(NamedTuple):
    folder: Path
    games: HumanGames
    analyses: Analyses

    def begin(self, bot: str, *lines: bytes) -> str:
        fixture = Fixture("0" * 16, "you", bot or None, 0, (5, 6))
        game = self.games.begin(
            bot=bot, seat="first", player=bot, address="", places=9, fixture=fixture
        )
        for number, line in enumerate(lines):
            assert self.games.append(game, number, line)
        return game

    def told(self, what: str) -> tuple[str, object]:
        self.analyses.ask(what, "")
        analyse(self.folder, self.analyses, what)
        found = self.analyses.find(what)
        assert found is not None
        return found.state, found.data


@pytest.fixture
def coached(league: Path) -> Iterator[Coached]:
    with Database(league):
        pass
    with HumanGames(league) as games, Analyses(league) as analyses:
        yield Coached(league, games, analyses)


@pytest.mark.parametrize(
    ("number", "left", "cells"),
    [
        (0, 8, [250] * 16),
        (1, 6, [333, 167, 333, 333, 167, 0, 167, 167, 333, 167, 333, 333, 333, 167, 333, 333]),
        (2, 4, [0, 0, 250, 250, 0, 0, 250, 250, 250, 250, 500, 500, 250, 250, 500, 500]),
        (3, 2, [0, 0, 500, 0, 0, 0, 500, 0, 500, 500, 1000, 500, 0, 0, 500, 0]),
    ],
)
def test_who_plays_alone_is_told_how_likely_each_cell_is(
    coached: Coached, number: int, left: int, cells: list[int]
) -> None:
    game = coached.begin("", *SHOTS)
    told = [f"Posterior: exact, {left} layouts left."]
    assert coached.told(f"turn {game} {number}") == ("done", {"cells": cells, "told": told})


def test_who_plays_a_bot_is_told_what_that_assumes(coached: Coached) -> None:
    game = coached.begin("bob@1", OWN, THEIRS, SHOTS[0], encode(Shots("", (9,))))
    told = [f"Posterior: exact, 2 layouts left.{EQUALLY}"]
    cells = [0, 500, 0, 0, 500, 1000, 500, 500, 0, 500, 0, 0, 0, 500, 0, 0]
    assert coached.told(f"turn {game} 4") == ("done", {"cells": cells, "told": told})


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("turn nothing 1", "there is no such game"),
        ("game 0123456789abcdef", "there is no such game"),
        ("nonsense", "the server failed; its operator can see why"),
    ],
)
def test_analysis_that_cannot_be_made_says_why(coached: Coached, what: str, why: str) -> None:
    assert coached.told(what) == ("failed", why)


def played(fixture: Fixture, *lines: bytes) -> Game:
    book = Scorebook(fixture, RULES)
    for line in lines:
        assert book.state.request is not None
        book.play(from_line(line, book.state.request), 0.5)
    return book.record("second", Fault(Termination.TIMEOUT, "too slow"))


ISOLATION = Choice(Level.NONE, ())


@pytest.mark.parametrize("seat", ["first", "second"])
def test_game_of_a_person_is_recorded_once_under_its_own_id(
    league: Path, tmp_path: Path, seat: str
) -> None:
    seats = ("you", "hunt_target@1") if seat == "first" else ("hunt_target@1", "you")
    fixture = Fixture("fedcba9876543210", *seats, 0, (11, 12))
    game = played(fixture, OWN, THEIRS, SHOTS[0])
    record = tmp_path / "people.sqlite3"
    assert game_in_record(league, fixture) is None
    record_game(league, game, ISOLATION)  # no record was named
    assert not record.exists()
    with Database(league) as db:
        record_into(db, record, "Ada")
    assert game_in_record(league, fixture) is None
    record_game(league, game, ISOLATION)
    assert game_in_record(league, fixture) == game
    with Store(record, create=False) as store:
        [name] = store.tournament_names()
        [kept] = store.games(name)
        names = ["Ada", "hunt_target"]
        assert list(kept.fixture.seats.values()) == (names if seat == "first" else names[::-1])
        assert (kept.fixture.id, kept.fixture.seeds) == (fixture.id, fixture.seeds)
    other = Fixture("0123456789abcdef", *seats, 0, (11, 12))
    assert game_in_record(league, other) is None


def test_practice_alone_is_not_recorded(league: Path, tmp_path: Path) -> None:
    with Database(league) as db:
        record_into(db, tmp_path / "people.sqlite3", "Ada")
    alone = Fixture("fedcba9876543210", "you", None, 0, (11, 12))
    record_game(league, played(alone, SHOTS[0]), ISOLATION)
    assert not (tmp_path / "people.sqlite3").exists()

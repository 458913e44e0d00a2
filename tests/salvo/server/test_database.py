"""The server's databases when many open them at once."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from salvo.server.database.analyses import Analyses
from salvo.server.database.challenges import Challenges
from salvo.server.database.human_games import HumanGames
from salvo.server.database.server_database import Database
from salvo.server.work.resting import must_rest

OPENERS = 8


@pytest.mark.parametrize("kind", [Database, HumanGames, Challenges, Analyses])
def test_those_who_open_a_new_database_at_once_all_get_it(
    tmp_path: Path, kind: type[Database]
) -> None:
    started = threading.Barrier(OPENERS)

    def opened(league: Path) -> int:
        started.wait(60)
        with kind(league) as db:
            [[count]] = db.execute(
                "SELECT count(*) FROM sqlite_master WHERE name = ?", [kind.last_table]
            )
        return int(count)

    leagues = [tmp_path / str(number) for number in range(25)]
    with ThreadPoolExecutor(OPENERS) as pool:
        for league in leagues:
            league.mkdir()
            assert list(pool.map(opened, [league] * OPENERS)) == [1] * OPENERS


def test_no_worker_has_to_rest_while_a_database_is_made(tmp_path: Path) -> None:
    rests: list[bool] = []

    class Watched(Database):
        def _make_tables(self) -> None:
            rests.append(must_rest(self._league))
            super()._make_tables()

    with Watched(tmp_path):
        assert rests == [False]

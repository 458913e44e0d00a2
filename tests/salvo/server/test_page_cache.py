"""Results are computed once, with the leaderboards, so that no request has to wait for them."""

from pathlib import Path

import pytest

from arena.isolation import AUTO, choose
from arena.store import Store
from salvo.server.database.server_database import Database
from salvo.server.leagues import open_league
from salvo.server.web.page_cache import PageCache
from salvo.server.work.league_play import play_missing
from salvo.server.work.rating import latencies, rate_again
from tests.salvo.server.conftest import make_league


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a league in which everything was played."""
    folder = make_league(tmp_path_factory.mktemp("played") / "league")
    with Database(folder) as db:
        db.settle("workers", "1")
    next(play_missing(folder, choose(AUTO)))
    return folder


def test_latency_is_computed_with_the_leaderboards(played: Path) -> None:
    rate_again(played)
    with Database(played) as db:
        latency = db.board("bot:hunt_target")["latency"]
    assert int(latency["answers"].replace(",", "")) > 0


def test_latency_is_kept_while_a_bot_has_no_newer_block(played: Path) -> None:
    league = open_league(played)
    with Store(league.record, create=False) as store:
        first = latencies(league, store, None)
        marked = {name: one | {"latency": "kept"} for name, one in first.items()}
        again = latencies(league, store, marked)
        marked["hunt_target"]["blocks"] = []
        renewed = latencies(league, store, marked)
    assert again["hunt_target"]["latency"] == "kept"
    assert renewed["hunt_target"] == first["hunt_target"]
    assert renewed["uniform_random"]["latency"] == "kept"


def test_pages_of_results_have_every_game_once_in_the_order_of_the_file(played: Path) -> None:
    with Store(open_league(played).record, create=False) as store:
        wanted = {row[0] for row in store.results("league")}
        found, block = [], 0
        while True:
            last, rows = store.page_of_results("league", after=block, most=1)
            if last is None:
                break
            assert last > block
            block = last
            found += [row[0] for row in rows]
    assert len(found) == len(wanted)
    assert set(found) == wanted


def test_page_is_made_once_until_the_leaderboards_change() -> None:
    cache, made = PageCache(2), []

    def make() -> bytes:
        made.append(len(made))
        return b"page"

    for rated in (1, 1, 2, 2):
        cache.get("/bots/a", rated, make)
    assert len(made) == 2


def test_page_that_was_not_asked_for_longest_leaves_the_shelf() -> None:
    cache = PageCache(2)
    for name in ("a", "b", "a", "c"):
        cache.get(name, 1, lambda: b"page")
    assert [cache.find(name, 1) is not None for name in ("a", "b", "c")] == [True, False, True]

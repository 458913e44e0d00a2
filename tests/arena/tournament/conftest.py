"""Small tournaments of bundled bots, and of bots written for a test."""

from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from arena.entrants import Library, parse_entrant
from arena.executors import Executor, ThisProcess
from arena.isolation import Choice, Level
from arena.records import Settings
from arena.rules import Rules, Ship
from arena.schedule import Schedule
from arena.store import Store, Tournament
from arena.tournament import make_plan, name_tournament, run

MINI = Rules(
    name="mini", rows=5, columns=5, fleet=(Ship("Cutter", 3), Ship("Boat", 2)), shots="afloat"
)
UNCONFINED = Choice(Level.NONE, ())

Play = Callable[..., Store]
MakeTournament = Callable[..., Tournament]


@pytest.fixture(scope="session")
def make_tournament() -> MakeTournament:
    """Return a function that makes a tournament of the bots that are named."""
    folder = Path(str(resources.files("bots")))
    bundled = {path.stem: path for path in folder.glob("*.py") if path.name != "__init__.py"}
    library = Library.around(bundled)

    def make(*bots: str, **given: Any) -> Tournament:  # noqa: ANN401 - whatever it has
        usual = {
            "name": "",
            "kind": "tournament",
            "rules": MINI,
            "seed": "1",
            "settings": Settings(),
            "entrants": tuple(parse_entrant(bot, bundled, library=library) for bot in bots),
        }
        return name_tournament(Tournament(**{**usual, **given}))

    return make


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    """Return a function that plays a tournament into a file, and returns its store."""
    yield from playing_into(tmp_path)


@pytest.fixture(scope="module")
def play_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Play]:
    """Return a function that does so for all tests of a file."""
    yield from playing_into(tmp_path_factory.mktemp("records"))


def playing_into(folder: Path) -> Iterator[Play]:
    stores = []

    def play_into(  # noqa: PLR0913 - named where it is called
        file: str,
        tournament: Tournament,
        games: int = 0,
        layouts: int = 0,
        *,
        schedule: Schedule | None = None,
        executor: Executor = ThisProcess(),  # noqa: B008 - it has no state
        isolation: Choice = UNCONFINED,
        progress: Callable[[int, int], object] = lambda _done, _wanted: None,
    ) -> Store:
        store = Store(folder / file, create=True)
        stores.append(store)
        run(
            tournament,
            schedule or make_plan(tournament, games=games, layouts=layouts),
            executor=executor,
            isolation=isolation,
            store=store,
            progress=progress,
        )
        return store

    yield play_into
    for store in stores:
        with store:
            pass

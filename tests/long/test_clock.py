"""On a busy machine sleepers pay and the starved do not."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from arena.isolation import Level, Program, start
from arena.player import News, ProcessTransport, RemotePlayer, Reply
from arena.records import Block, Fixture, Settings, Termination
from arena.referee import play_block, play_game
from arena.rules import Request, Rules, Ship, preset, view

BURNERS = 8
CPUS = 2
"""So many processors are shared by the burners and the bots, however many the machine has."""

MOVES = 300
"""How many moves a bot makes at the least."""

FOLDER = Path(__file__).parent.parent / "arena" / "faulty_bots"
SETTINGS = Settings(load_s=5, move_s=0.1, game_s=60)

THINKER = f"""
import time
from honest import play, shots

def think(message):
    until = time.process_time() + {SETTINGS.move_s / 5}
    while time.process_time() < until:
        pass
    return shots(message)

play(shoot=think)
"""

DOZER = f"""
import time
from pathlib import Path
from honest import play, shots

def unwaited():
    return time.monotonic() - int(Path("/proc/self/schedstat").read_text().split()[1]) / 1e9

def doze(message):
    until = unwaited() + 10 * {SETTINGS.move_s}
    while unwaited() < until:
        time.sleep(0.0002)
    return shots(message)

play(shoot=doze)
"""
"""Sleeps and runs by turns so quickly that it looks as if it waited for a processor."""

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="the system does not tell who waits"
)


@pytest.fixture
def burners() -> int:
    """Return how many processes burn the processors."""
    return BURNERS


@pytest.fixture(autouse=True)
def busy_machine(burners: int) -> Iterator[None]:
    """Burn the processors that this process and its bots may use."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:CPUS])
    # Bots have sessions of their own, and the kernel may share the processors out by session.
    processes = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
        for _ in range(burners)
    ]
    yield
    for process in processes:
        process.kill()
        process.wait()
    os.sched_setaffinity(0, before)


class Timed(RemotePlayer):
    """A bot whose moves are timed by the clock on the wall."""

    walls_s: tuple[float, ...] = ()

    def ask(self, request: Request, news: News) -> Reply:
        begun = time.monotonic()
        reply = super().ask(request, news)
        self.walls_s += (time.monotonic() - begun,)
        return reply


def player(script: Path, rules: Rules) -> Timed:
    program = Program(
        argv=(sys.executable, "-P", str(script)),
        folder=str(script.parent),
        files=(str(script.parent), str(FOLDER)),
        import_folder=str(FOLDER),
    )
    return Timed(lambda: ProcessTransport(start(Level.LIMITS, program)), view(rules), SETTINGS)


def fixture(number: int) -> Fixture:
    return Fixture(f"game {number}", "bot", None, number, (number, number))


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    """Return what writes the script of a bot."""
    # Where bots get a uid of their own, they must be let in.
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)

    def write(code: str) -> Path:
        script = tmp_path / "bot_of_a_test.py"
        script.write_text(code)
        return script

    return write


def play_honestly(script: Path) -> tuple[list[float], list[float]]:
    """Have a bot make its moves, none of which may cost a forfeit; return charges and times."""
    rules = preset("classic")
    bot = player(script, rules)
    charges_s: list[float] = []
    try:
        while len(charges_s) < MOVES:
            game = play_game(fixture(len(charges_s)), rules, SETTINGS, {"bot": bot})
            assert game.termination is Termination.SUNK, game.reason
            charges_s += [step.charge_s for step in game.steps]
    finally:
        bot.stop()
    return charges_s, list(bot.walls_s)


@pytest.mark.parametrize(("burners", "bots"), [(BURNERS, 1), (16, 4)])
def test_honest_moves_of_starved_bots_cost_no_forfeit(
    write: Callable[[str], Path], bots: int
) -> None:
    scripts = bots * [write(THINKER)]
    with ProcessPoolExecutor(bots, mp_context=get_context("fork")) as arenas:
        played = list(arenas.map(play_honestly, scripts))
    for charges_s, walls_s in played:
        # It did wait, and was not charged for it.
        assert statistics.median(walls_s) > 2 * statistics.median(charges_s)
        assert statistics.median(charges_s) < 2 * SETTINGS.move_s / 5


@pytest.mark.parametrize(
    "code", [(FOLDER / "sleeps_past_its_budget.py").read_text(), DOZER], ids=["sleeps", "dozes"]
)
def test_100_games_of_a_bot_that_sleeps_past_its_budget_are_100_forfeits(
    write: Callable[[str], Path], code: str
) -> None:
    rules = Rules(
        name="small", rows=5, columns=5, fleet=(Ship("Cruiser", 3), Ship("Boat", 2)), shots="afloat"
    )
    bot = player(write(code), rules)
    # In one block the fourth game would be forfeited unplayed.
    blocks = [Block(("bot",), number, (fixture(number),)) for number in range(100)]
    played = [
        play_block(block, rules, SETTINGS, {"bot": bot}, lambda game, _attempt: game.seeds)
        for block in blocks
    ]
    games = [game for block_games, _voids in played for game in block_games]
    assert [game.termination for game in games] == 100 * [Termination.TIMEOUT]

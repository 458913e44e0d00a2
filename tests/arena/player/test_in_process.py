"""A bot in this process gets messages, answers and fails exactly as over the wire."""

import re
import runpy
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from arena import Bot
from arena.entrants import parse_entrant
from arena.isolation import Level
from arena.player import UNHURRIED, InProcessPlayer, Player, RemotePlayer
from arena.records import Fixture, Game, Settings, Termination
from arena.referee import play_bots, play_game
from arena.rules import Rules, preset, view
from arena.tournament import connect

HEAD = """
import sys
from arena import Bot, run

class Tried(Bot):
    def choose_shots(self, count):
        return self.untried[-count:]

"""

WRONG = {
    "returns nothing": "def choose_shots(self, count): return None",
    "returns half cells": "def choose_shots(self, count): return [0.5] * count",
    "returns text": "def choose_shots(self, count): return 'A1'",
    "returns too few": "def choose_shots(self, count): return [3]",
    "returns a cell twice": "def choose_shots(self, count): return [3] * count",
    "shoots off the board": "def choose_shots(self, count): return range(-count, 0)",
    "shoots beyond 53 bits": "def choose_shots(self, count): return [2**60] * count",
    "shoots beyond 64 bits": "def choose_shots(self, count): return [2**70] * count",
    "shoots too much": "def choose_shots(self, count): return range(5000)",
    "answers at length": "def choose_shots(self, count): return [2**53 - 1] * 4096",
    "raises": "def choose_shots(self, count): raise ValueError('no idea\\nat all')",
    "raises without words": "def choose_shots(self, count): raise KeyError",
    "raises after a turn": "def choose_shots(self, count): return [self.shot[0]]",
    "exits": "def choose_shots(self, count): sys.exit()",
    "exits with a code": "def choose_shots(self, count): sys.exit(3)",
    "exits with words": "def choose_shots(self, count): sys.exit('enough')",
    "places nothing": "def place_fleet(self): return None",
    "places no ship": "def place_fleet(self): return {}",
    "places on half cells": "def place_fleet(self): return {'Carrier': [1.5]}",
    "fails as a game begins": "def game_begins(self): raise OSError('begun')",
    "fails as a game ends": "def game_ends(self, end): raise OSError('ended')",
    "does not play": "def plays(self, rules): return False",
    "cannot say what it plays": "def plays(self, rules): return 1 / 0",
    "has a long name": "name = 'x' * 300",
    "cannot be made": "def __init__(self): raise RuntimeError('unmade')",
}
TWICE = {"raises after a turn", "exits with a code", "fails as a game ends", "cannot be made"}
"""Those that are met in a second game as well."""


class InOrder(Bot):
    """Shoots the cells in order."""

    def choose_shots(self, count: int) -> Sequence[int]:
        return range(len(self.shot), len(self.shot) + count)


def in_process(script: Path, rules: Rules) -> InProcessPlayer:
    made: type[Bot] = runpy.run_path(str(script))["Tried"]
    return InProcessPlayer(made, view(rules))


def over_the_wire(script: Path, rules: Rules) -> RemotePlayer:
    return connect(parse_entrant(str(script), {}).program, rules, UNHURRIED, Level.NONE)


def played(player: Player, rules: Rules, *, solo: bool = False, count: int = 2) -> list[Game]:
    """Play some games; after a failure the bot is made again."""
    players = {"tried": player, "in order": InProcessPlayer(InOrder, view(rules))}
    second = None if solo else "in order"
    fixtures = [Fixture(str(pair), "tried", second, pair, (pair, 7)) for pair in range(count)]
    try:
        return [play_game(fixture, rules, UNHURRIED, players) for fixture in fixtures]
    finally:
        player.stop()


def verdicts(games: list[Game]) -> list[object]:
    """Return all of a record but the times and the ids of requests, which are drawn."""
    found: list[object] = []
    for game in games:
        reason = re.sub(r'"id":"\w+"', '"id":""', game.reason)
        steps = [replace(step, charge_s=0.0) for step in game.steps]
        found.append((game.result, game.termination, reason, game.forfeit, game.layouts, steps))
    return found


@pytest.mark.parametrize("fault", WRONG, ids=str)
def test_wrong_bot_meets_the_fault_that_it_meets_over_the_wire(fault: str, tmp_path: Path) -> None:
    script = tmp_path / "tried.py"
    script.write_text(f"{HEAD}    {WRONG[fault]}\n\nif __name__ == '__main__':\n    run(Tried)\n")
    rules = preset("salvo")
    count = 2 if fault in TWICE else 1
    here = verdicts(played(in_process(script, rules), rules, count=count))
    assert here == verdicts(played(over_the_wire(script, rules), rules, count=count))
    assert any(forfeit == "first" for *_, forfeit, _, _ in here)


DIARY = """
import random
from arena import Bot, run

class Tried(Bot):
    def note(self, what, *told):
        known = {k: v for k, v in sorted(vars(self).items()) if k not in ("random", "time_left_s")}
        with open(DIARY, "a") as diary:
            diary.write(f"{what} {told} {known} {type(self.time_left_s)}\\n")

    def plays(self, rules):
        with open(DIARY, "a") as diary:
            diary.write(f"plays {rules}\\n")
        return True

    def game_begins(self):
        self.note("begins", self.random.random())

    def place_fleet(self):
        self.note("place")
        return super().place_fleet()

    def choose_shots(self, count):
        self.note("shoot", count)
        return self.random.sample(self.untried, count)

    def move_ship(self):
        self.note("move")

    def answer_salvo(self, cells, hits, sunk, lies_left):
        self.note("answer", cells, hits, sunk, lies_left)
        return hits

    def game_ends(self, end):
        self.note("ends", end)
"""


@pytest.mark.parametrize(
    ("name", "solo"),
    [
        *((name, False) for name in ("salvo", "afp", "lies", "unknown", "equal-turns", "again")),
        *((name, True) for name in ("salvo", "lies", "unknown")),
    ],
)
def test_bot_gets_the_same_messages_as_over_the_wire(
    name: str, tmp_path: Path, *, solo: bool
) -> None:
    rules, diary, script = preset(name), tmp_path / "diary", tmp_path / "tried.py"
    text = DIARY.replace("DIARY", repr(str(diary)))
    script.write_text(f"{text}\nif __name__ == '__main__':\n    run(Tried)\n")
    told = []
    for player in (in_process(script, rules), over_the_wire(script, rules)):
        assert all(game.forfeit is None for game in played(player, rules, solo=solo))
        told.append(diary.read_text())
        diary.unlink()
    assert told[0] == told[1]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Return a function that lets each reading of the clock take so long."""

    def tick(seconds: float) -> None:
        now_s = iter(range(10**6))
        monotonic = SimpleNamespace(monotonic=lambda: seconds * next(now_s))
        monkeypatch.setattr("arena.player.in_process.time", monotonic)

    return tick


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (Settings(move_s=2), "did not answer in time (2 s for a move)"),
        (
            Settings(move_s=4, game_s=8),
            "did not answer in time (2 s, all that was left of the 8 s for a game)",
        ),
    ],
)
def test_bot_that_takes_too_long_forfeits(
    clock: Callable[[float], None], settings: Settings, reason: str
) -> None:
    clock(3)
    game = play_bots([InOrder()], preset("classic"), settings=settings)
    assert (game.termination, game.forfeit, game.reason) == (Termination.TIMEOUT, "first", reason)


def test_bot_that_takes_too_long_to_load_is_not_started(clock: Callable[[float], None]) -> None:
    clock(3)
    game = play_bots([InOrder()], preset("classic"), settings=Settings(load_s=2))
    reason = "gave no introduction: did not answer in time (2 s to load)"
    assert game.termination is Termination.UNSTARTED
    assert game.reason.startswith(reason)


def test_time_may_be_used_to_the_end(clock: Callable[[float], None]) -> None:
    clock(3)
    settings = Settings(load_s=3, move_s=3, game_s=9)
    game = play_bots([InOrder()], preset("classic"), settings=settings)
    assert game.tallies[0].turns == 3
    assert [step.charge_s for step in game.steps] == [3, 3, 3]
    assert (game.termination, game.reason) == (
        Termination.TIMEOUT,
        "did not answer in time (0 s, all that was left of the 9 s for a game)",
    )


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (0, "exited with code 0"),
        (None, "exited with code 0"),
        (255, "exited with code 255"),
        (259, "exited with code 3"),
        (-1, "exited with code 255"),
        ("enough\n", "exited with code 1: enough"),
    ],
)
def test_bot_that_exits_ends_as_its_process_would(code: object, told: str) -> None:
    class Leaves(InOrder):
        def choose_shots(self, count: int) -> Sequence[int]:
            del count
            sys.exit(code)  # type: ignore[arg-type]

    game = play_bots([Leaves()], preset("classic"))
    assert (game.termination, game.reason) == (Termination.EXITED, told)


def test_traceback_is_returned_once_the_bot_is_stopped() -> None:
    class Raises(InOrder):
        def choose_shots(self, count: int) -> Sequence[int]:
            raise ValueError(f"no {count} shots")

    player = InProcessPlayer(Raises, view(preset("classic")))
    fixture = Fixture("1", "raises", None, 0, (1, 2))
    game = play_game(fixture, preset("classic"), UNHURRIED, {"raises": player})
    assert game.stderr.startswith("Traceback (most recent call last):\n")
    assert game.stderr.endswith("ValueError: no 1 shots\n")
    player.start()
    assert player.stop() == ""


def test_bot_is_made_once_and_anew_after_it_was_stopped() -> None:
    made: list[Bot] = []

    def make() -> Bot:
        made.append(InOrder())
        return made[-1]

    player = InProcessPlayer(make, view(preset("classic")))
    player.start()
    player.start()
    assert len(made) == 1
    player.stop()
    player.start()
    assert len(made) == 2


def test_one_bot_alone_shoots_at_the_layout_given() -> None:
    rules = preset("row-5-3")
    turns = [
        play_bots([InOrder()], rules, layout=(0b111 << cell,)).tallies[0].turns
        for cell in (0, 1, 2)
    ]
    assert turns == [3, 4, 5]


def test_two_bots_are_given_a_seed_each() -> None:
    class Seeded(InOrder):
        def game_begins(self) -> None:
            self.drawn = self.random.random()

    one, two = Seeded(), Seeded()
    game = play_bots([one, two], preset("classic"), seeds=(5, 6))
    assert game.fixture.seeds == (5, 6)
    assert one.drawn != two.drawn
    assert play_bots([one, two], preset("classic")).fixture.seeds == (0, 1)

"""Every preset plays a tournament of all bundled bots that can play it.

What is tried so is whether bots, rules and tables get on with each other. Starting a few thousand
processes would take minutes, and so would all that the bots think: but for one preset they run in
the arena's process, and hurry.
"""

import io
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import arena.tournament
from arena.isolation import Level, Program
from arena.player import InProcessPlayer, Player
from arena.records import Game, Settings
from arena.replay import replay
from arena.rules import PRESETS, Rules, preset, view
from arena.store import Store
from bots.tactics.learned.placement_network import FleetPlacements, PlacementNetwork
from bots.tactics.posterior.explanations import Explanations
from bots.tactics.posterior.posterior import Effort, Posterior, estimate
from salvo.bundled import bot_class, bundled_bots
from salvo.cli.main import main

pytestmark = pytest.mark.long(
    "tournaments of all bots by all rules; test_contract.py has single games"
)

SIZE = ("--games", "2", "--layouts", "2")


class Unpaused(InProcessPlayer):
    """A bundled bot without a process, which nobody can stop while its opponent thinks."""

    def sit_with(self, rivals: Sequence[Player]) -> None: ...


def connect(
    program: Program, rules: Rules, _settings: Settings, _isolation: Level, _logs: object = None
) -> Player:
    """Return a bot as a player, with a day for everything; see ``arena.tournament.connect``."""
    path = Path((program.original or program).argv[-1])
    name = path.parent.name if path.name == "bot.py" else path.stem
    return Unpaused(bot_class(name), view(rules))


def hurry(known: Explanations, random: np.random.Generator, _effort: Effort) -> Posterior:
    """Return a posterior from few layouts; see ``bots.tactics.posterior.posterior.estimate``."""
    return estimate(known, random, Effort(limit=64, draws=64, rounds=1))


read_network = PlacementNetwork.__init__


def read_in_a_hurry(
    network: PlacementNetwork, arrays: Mapping[str, Any], places: FleetPlacements
) -> None:
    """Have a network look at the board in one round instead of all; see ``PlacementNetwork``."""
    read_network(network, arrays, places)
    network._rounds = 1


LESS = {
    "bots.brute_force.LAYOUTS": 1000,
    "bots.monte_carlo.LAYOUTS": 64,
    "bots.tactics.learned.placement_network.PlacementNetwork.__init__": read_in_a_hurry,
    "bots.tactics.learned.placement_network_bot.LAYOUTS": 64,
    "bots.tactics.posterior.belief.estimate": hurry,
    "bots.tactics.posterior.salvo.LAYOUTS": 64,
    "bots.tactics.value.judge.LAYOUTS": 64,
    "bots.tactics.value.judge._SETS": 1,
    "bots.tactics.value.look_ahead.LAYOUTS": 64,
    "bots.thompson.MAX_BLOCKS": 2,
    "bots.thompson.Thompson.__init__.__defaults__": (500,),
    "bots.value_search.LAYOUTS": 64,
    "bots.value_search.ValueSearch.sets": 1,
}
"""Settings of bots under which they think little, and what they are set to."""


def plays(name: str, rules: Rules) -> bool:
    return bot_class(name)().plays(view(rules))


def play(name: str, folder: Path, *words: str, in_process: bool) -> tuple[list[Game], str]:
    """Play a tournament of all bundled bots by a preset, and return its games and tables.

    Everybody who says so plays, everybody else is told to be left out, and nothing else is said.
    """
    for bot in bundled_bots():
        bot_class(bot)  # imported here once, and not in every worker
    command = ["tournament", *bundled_bots(), "--rules", name, *SIZE, *words]
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["salvo", *command])
        if in_process:
            patch.setattr(arena.tournament, "connect", connect)
            patch.setattr(arena.tournament.block_task, "connect", connect)
            for what, less in LESS.items():
                patch.setattr(what, less)
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as end:
            main()
    assert not end.value.code, err.getvalue()
    said = (f"does not play {name} and is left out", "holds every game")
    said += ("games to play", "keeps what was played")
    for line in err.getvalue().splitlines():
        assert line.endswith(said) or " bots play " in line, line
    with Store(folder / "salvo.sqlite3", create=False) as store:
        return list(store.games(store.tournament().name)), out.getvalue()


def entrants(game: Game) -> frozenset[str]:
    """Return who plays: two, or one alone."""
    return frozenset((game.fixture.first, game.fixture.second or game.fixture.first))


def check(name: str, folder: Path, *words: str, in_process: bool = True) -> None:
    """See that all who can play did, alone and against those they were to meet, without a fault."""
    rules = preset(name)
    games, tables = play(name, folder, *words, in_process=in_process)
    field = {bot for bot in bundled_bots() if plays(bot, rules)}
    assert len(field) > 1
    meets_all = field if "--gauntlet" not in words else {words[-1]}
    pairings = {frozenset((one, other)) for one in meets_all for other in field if one != other} | {
        frozenset((bot,)) for bot in field
    }
    assert Counter(map(entrants, games)) == dict.fromkeys(pairings, 2)
    rows = Counter(re.findall(r"^ *\d+ +(\w+) ", tables, re.MULTILINE))
    assert {bot for bot in bundled_bots() if rows[bot] == 2} == field  # alone, and for two
    for game in games:
        assert game.forfeit is None, (game.fixture, game.reason)
        *_, last = replay(game, rules)
        assert (last.result, last.ending) == (game.result, game.termination)
    page = (folder / "salvo-report.html").read_text(encoding="utf-8")
    absent = [bot for bot in bundled_bots() if bot not in field]
    assert not absent or f"they do not play {name}: {', '.join(absent)}." in page


def test_all_meet_all_by_the_rules_of_the_game(tmp_path: Path) -> None:
    check("salvo", tmp_path, "--isolation", "none")


@pytest.mark.parametrize("name", [name for name in PRESETS if name not in {"salvo", "afp"}])
def test_all_who_can_play_a_preset_play_a_tournament(name: str, tmp_path: Path) -> None:
    check(name, tmp_path, "--isolation", "none", "--gauntlet", "uniform_random")


def test_the_wikis_game_is_played_by_processes_as_isolated_as_can_be(tmp_path: Path) -> None:
    check("afp", tmp_path, "--gauntlet", "uniform_random", in_process=False)

"""The whole game against a bot in the other seat."""

import re
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from msgspec.structs import replace

from arena import Bot
from arena.environments import AgainstBotEnv
from arena.errors import IllegalActionError, RulesError
from arena.player import Fault
from arena.rules import CellsReport, RulesView
from bots.hunt_target import HuntTarget
from tests.arena.environments.small_bots import LONE, Cut, Sure, Sweeper


class Learner(Sweeper):
    """Shoots from the other end once it has lost or won."""

    def choose_shots(self, count: int) -> Sequence[int]:
        return self.untried[-count:] if self.ends else self.untried[:count]


class Cheat(Bot):
    def choose_shots(self, count: int) -> Sequence[int]:
        return [0] * count


class Broken(Bot):
    def choose_shots(self, count: int) -> Sequence[int]:
        raise ValueError(f"it broke at {count}")


class Choosy(Bot):
    def plays(self, rules: RulesView) -> bool:
        del rules
        return False


def play(environment: AgainstBotEnv, seed: int) -> tuple[list[int], float]:
    """Play a game at random; return the cells and the reward."""
    random = np.random.default_rng(seed)
    _, info = environment.reset(seed=seed)
    cells: list[int] = []
    ended, reward = False, 0.0
    while not ended:
        cells.append(int(random.choice(np.flatnonzero(info["action_mask"]))))
        _, reward, ended, _, info = environment.step(cells[-1])
    return cells, reward


@pytest.mark.parametrize("seat", ["first", "second", "drawn"])
def test_passes_the_checks_of_gymnasium(seat: str) -> None:
    environment = gymnasium.make("salvo/Duel-v0", opponent=HuntTarget, rules="salvo", seat=seat)
    check_env(environment.unwrapped)


def test_a_bundled_bot_wins_against_random_shots() -> None:
    environment = AgainstBotEnv(HuntTarget, "salvo")
    rewards = [play(environment, seed)[1] for seed in range(12)]
    assert sum(rewards) <= -6


def test_the_same_seed_gives_the_same_game() -> None:
    once, again = (play(AgainstBotEnv(HuntTarget, "classic"), seed=4) for _ in range(2))
    assert once == again


def test_what_a_bot_learned_is_forgotten_with_the_seed() -> None:
    environment = AgainstBotEnv(Learner, "row-5-3")
    assert play(environment, seed=4) == play(environment, seed=4)


@pytest.mark.filterwarnings("ignore:opponent")
def test_a_bot_is_made_anew_for_a_seed_and_after_a_fault_alone() -> None:
    made: list[Bot] = []

    def make() -> Bot:
        made.append(Sweeper() if len(made) != 1 else Cheat())
        return made[-1]

    environment = AgainstBotEnv(make, "row-5-3", seat="first")
    environment.reset()
    assert len(made) == 1
    environment.reset(seed=1)
    assert len(made) == 2
    for cell in (4, 3):  # and then it cheats
        *_, info = environment.step(cell)
    assert "already shot" in info["fault"]
    for _ in range(2):
        environment.reset()
        assert len(made) == 3


def test_the_bot_shoots_first_where_it_sits_first() -> None:
    bot = Sweeper()
    environment = AgainstBotEnv(lambda: bot, "classic", seat="second")
    environment.reset(seed=1)
    assert bot.shot == [0]
    environment = AgainstBotEnv(lambda: bot, "classic", seat="first")
    environment.reset(seed=1)
    assert bot.shot == []


def test_the_bot_hears_each_salvo_and_the_end() -> None:
    bot = Sweeper()
    environment = AgainstBotEnv(lambda: bot, "row-5-3", seat="first")
    cells, reward = play(environment, seed=3)
    assert [cell for salvo in bot.incoming for cell in salvo] == cells
    (end,) = bot.ends
    assert end.result == ("lost" if reward == 1 else "won")
    assert end.opponent_layout is not None


@pytest.mark.filterwarnings("ignore:opponent")
@pytest.mark.parametrize(
    ("opponent", "reason"), [(Cheat, "appears twice|already shot"), (Broken, "it broke at 5")]
)
def test_a_bot_that_cheats_or_fails_loses(opponent: type[Bot], reason: str) -> None:
    environment = AgainstBotEnv(opponent, "salvo", seat="first")
    for _ in range(2):
        _, info = environment.reset(seed=1)
        reward, ended = 0.0, False
        while not ended:
            cell = int(np.flatnonzero(info["action_mask"])[0])
            _, reward, ended, _, info = environment.step(cell)
        assert reward == 1
        assert re.search(reason, info["fault"])


@pytest.mark.filterwarnings("ignore:opponent")
def test_a_bot_that_fails_before_the_first_action_has_lost_at_it() -> None:
    environment = AgainstBotEnv(Broken, "salvo", seat="second")
    for _ in range(2):
        _, info = environment.reset(seed=1)
        assert "it broke at 5" in info["fault"]
        assert environment.step(0)[1:4] == (1.0, True, False)
        with pytest.raises(IllegalActionError, match="the game is over; reset the environment"):
            environment.step(0)


def test_a_bot_that_does_not_play_the_rules_is_refused() -> None:
    with pytest.raises(Fault, match="does not play"):
        AgainstBotEnv(Choosy, "salvo").reset(seed=1)


def test_refuses_a_cell_that_was_shot_before() -> None:
    environment = AgainstBotEnv(Sweeper, "classic", seat="first")
    environment.reset(seed=1)
    environment.step(3)
    with pytest.raises(IllegalActionError, match="cell 3"):
        environment.step(3)


def test_refuses_rules_that_a_board_cannot_show() -> None:
    with pytest.raises(RulesError, match="told"):
        AgainstBotEnv(Sweeper, "paper")


UNDER_WAY = [(0.0, False, False, 1, 1), (0.0, False, False, 2, 2), (0.0, False, False, 2, 1)]
LATER = [*UNDER_WAY, (0.0, False, False, 3, 2), (0.0, False, False, 3, 1)]


@pytest.mark.filterwarnings("ignore:opponent")
@pytest.mark.parametrize(
    ("bot", "given", "seat", "cells", "steps"),
    [
        (Sweeper, {}, "first", "012456", [*LATER, (1.0, True, False, 3, 0)]),
        (Sure, {}, "first", "301245", [*LATER, (-1.0, True, False, 3, 0)]),
        (Sure, {}, "second", "0124", [*UNDER_WAY, (-1.0, True, False, 2, 0)]),
        (
            Sure,
            {"end": "equal-turns"},
            "first",
            "012456",
            [*LATER, (0.0, True, False, 3, 0)],
        ),
        (Cut, {}, "first", "0124", [*UNDER_WAY, (0.0, False, True, 2, 0)]),
        (Sure, {}, "first", "0121", [*UNDER_WAY, (-1.0, True, False, 2, 0)]),
    ],
    ids=["won", "lost", "lost as second", "drawn", "void", "illegal"],
)
def test_game_is_told_step_by_step(
    bot: type[Bot],
    given: dict[str, Any],
    seat: Any,  # noqa: ANN401 - a Literal
    cells: str,
    steps: list[tuple[float, bool, bool, int, int]],
) -> None:
    environment = AgainstBotEnv(bot, replace(LONE, **given), seat=seat, illegal="end")
    _, info = environment.reset(seed=1)
    assert (info["turns"], info["shots_left"], info["opponent"]) == (1, 2, bot.__name__)
    told = []
    for cell in map(int, cells):
        _, *outcome, info = environment.step(cell)
        told.append((*outcome, info["turns"], info["shots_left"]))
    assert told == steps
    assert info["action_mask"].tolist() == [1] * 7
    fault = "says that it cannot go on: no model" if bot is Cut else None
    assert info.get("fault") == fault


@pytest.mark.parametrize(("fleet_known", "revealed"), [(True, [(0, 1, 2), (4, 5, 6)]), (False, [])])
def test_the_bot_hears_of_a_draw_and_where_the_ships_of_a_known_fleet_lay(
    revealed: list[tuple[int, ...]], *, fleet_known: bool
) -> None:
    bot = Sure()
    rules = replace(LONE, end="equal-turns", fleet_known=fleet_known)
    environment = AgainstBotEnv(lambda: bot, rules, seat="first")
    environment.reset(seed=1)
    for cell in (0, 1, 2, 4, 5, 6):
        environment.step(cell)
    [end] = bot.ends
    assert bot.incoming == [(0, 1), (2, 4), (5, 6)]
    assert (end.result, end.termination, end.incoming) == ("drawn", "sunk", ())
    assert end.report == CellsReport((5, 6), None)
    assert sorted((end.opponent_layout or {}).values()) == revealed
    assert not bot.solo

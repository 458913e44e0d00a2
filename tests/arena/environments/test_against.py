"""The whole game against a bot in the other seat."""

import re
from collections.abc import Sequence

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from arena import Bot
from arena.environments import AgainstBotEnv
from arena.errors import IllegalActionError, RulesError
from arena.player import Fault
from arena.protocol import End
from arena.rules import RulesView
from bots.hunt_target import HuntTarget


class Sweeper(Bot):
    """Shoots the cells in order, and remembers how its games ended."""

    ends: list[End]

    def __init__(self) -> None:
        self.ends = []

    def choose_shots(self, count: int) -> Sequence[int]:
        return self.untried[:count]

    def game_ends(self, end: End) -> None:
        self.ends.append(end)


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

"""Opponents by name, and pools of them."""

import json
from collections import Counter

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec

from arena.environments import AgainstBotEnv, DuelEnv
from arena.errors import BotError, UserError
from bots.hunt_target import HuntTarget

POOL = ["hunt_target", "uniform_random", "hunt_parity"]


def opponents(environment: AgainstBotEnv, games: int) -> list[str]:
    """Return who played each game; the first draws all from the seed 1."""
    return [environment.reset(seed=None if game else 1)[1]["opponent"] for game in range(games)]


def test_a_bundled_bot_is_named() -> None:
    by_name, by_class = AgainstBotEnv("hunt_target"), AgainstBotEnv(HuntTarget)
    assert opponents(by_name, 1) == ["hunt_target"]
    assert opponents(by_class, 1) == ["HuntTarget"]


def test_a_name_that_is_none_is_refused() -> None:
    with pytest.raises(BotError, match="no bundled bot, file or command"):
        AgainstBotEnv("hunt_tarket")


def test_an_environment_is_made_again_from_its_json() -> None:
    first = gymnasium.make("salvo/Duel-v0", opponent=POOL, rules="classic", observations="flat")
    assert first.spec is not None
    text = first.spec.to_json()
    assert json.loads(text)["kwargs"]["opponent"] == POOL
    again = gymnasium.make(EnvSpec.from_json(text))
    for _ in range(3):
        (seen, info), (same, same_info) = (one.reset(seed=2) for one in (first, again))
        assert (np.asarray(seen) == np.asarray(same)).all()
        assert info["opponent"] == same_info["opponent"]


def test_of_a_pool_each_plays_some_games_and_the_seed_says_which() -> None:
    drawn = [opponents(AgainstBotEnv(POOL), 60) for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert set(Counter(drawn[0])) == set(POOL)
    assert min(Counter(drawn[0]).values()) >= 8


def test_a_pool_plays_in_pettingzoo() -> None:
    environment = DuelEnv(opponent=POOL)
    seen = set()
    for game in range(30):
        environment.reset(seed=None if game else 1)
        seen.add(environment.infos["first"]["opponent"])
    assert seen == set(POOL)


def test_an_empty_pool_is_refused() -> None:
    with pytest.raises(UserError, match="empty list; name at least one"):
        AgainstBotEnv([])

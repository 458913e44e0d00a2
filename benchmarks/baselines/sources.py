"""Trains the agents of published sources by the trainers of ``bots.training``."""

import importlib
from pathlib import Path

from arena.bot import Bot
from arena.player import UNHURRIED, InProcessPlayer
from arena.rules import view
from benchmarks.games.distributions import mean, random_turns_of
from bots.actor_critic.bot import ActorCritic
from bots.landy.bot import Landy
from bots.ramesh.bot import Ramesh
from bots.training.course import run_course
from salvo.benchmark.agents import Agent, agent_named
from salvo.benchmark.tasks import Task

SOURCES: dict[str, type[Bot]] = {"landy": Landy, "ramesh": Ramesh, "actor_critic": ActorCritic}
"""The class of each bot."""


def trained_source(name: str, task: Task, shots: int, seed: int, folder: Path) -> Agent | None:
    """Return an agent that was trained for at most so many shots; None if it cannot be.

    How many games these are is reckoned by random shots, which are more a game than it takes later.
    """
    module = importlib.import_module(f"bots.training.{name}")
    rules = task.rules
    a_turn = rules.shots if isinstance(rules.shots, int) else 0
    if not a_turn or not task.is_exact or (name == "landy" and task.name != "row-10-3"):
        return None
    games = int(shots / (float(mean(random_turns_of(rules))) * a_turn))
    trainer = module.Trainer(module.Settings(games=games, seed=seed, rules=task.name))
    if not (folder / "bot").exists():
        for _ in run_course(trainer, folder, f"python -m benchmarks battleship, {name}"):
            pass
    kind = type("Trained", (SOURCES[name],), {"folder": folder / "bot"})
    digest = agent_named(str(folder / "bot")).digest

    def player(task: Task, *_: object) -> InProcessPlayer:
        return InProcessPlayer(kind, view(task.rules), UNHURRIED)

    return Agent(name, "bot", digest, player)

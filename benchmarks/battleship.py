"""Trains the baselines of battleship-v1 by several seeds, and makes the table of docs/benchmark.md.

What the folders have already is neither trained nor played again, so that the same command goes on
from there. The agents of Stable-Baselines3 need sb3-contrib; without it they are left out.
"""

import importlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from arena.bot import Bot
from arena.player import UNHURRIED, InProcessPlayer
from arena.rules import Rules, view
from benchmarks.games.distributions import mean, random_turns_of
from benchmarks.lines import Note, outcome_line
from benchmarks.options import option
from bots.actor_critic.bot import ActorCritic
from bots.landy.bot import Landy
from bots.ramesh.bot import Ramesh
from bots.training.course import run_course
from salvo.benchmark.agents import Agent, agent_named
from salvo.benchmark.evaluation import NotPlayedError, OtherAgentError, Run, evaluate
from salvo.benchmark.figure import figure_of
from salvo.benchmark.results import results_in
from salvo.benchmark.standings import rows_of, table_of
from salvo.benchmark.tasks import TASKS, VERSION, Task
from salvo.reports.tables.luck_adjustment import why_not_adjusted

UNTRAINED = (
    "uniform_random",
    "hunt_target",
    "hunt_parity",
    "probability_density",
    "posterior_greedy",
    "posterior_parity",
    "value_search",
    "optimal",
    "q_learning",
    "deep_salvo",
)
"""Bundled bots that are played as they are; the last two with the weights that are bundled."""

SOURCES: dict[str, type[Bot]] = {"landy": Landy, "ramesh": Ramesh, "actor_critic": ActorCritic}
CLIENTS = {"PPO": "stable_baselines3", "DQN": "stable_baselines3", "MaskablePPO": "sb3_contrib"}

SIDE_BY_SIDE = 16
"""Environments that an agent of Stable-Baselines3 steps together."""

CLIENT_SETTINGS: dict[str, dict[str, Any]] = {
    "PPO": {"n_steps": 128, "batch_size": 64},
    "MaskablePPO": {"n_steps": 128, "batch_size": 64},
    "DQN": {"train_freq": 1, "gradient_steps": 4, "learning_starts": 1_000},
}
"""The settings that differ from Stable-Baselines3's defaults, to suit as many environments."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    shots: tuple[int, ...] = option((100_000,), "Shots of a training; may be repeated.")
    seeds: int = option(5, "Seeds of each training, from 1 on.", least=2)
    layouts: int = option(1000, "Layouts of a task that has too many to play each.", least=2)
    adjusted: int = option(0, "Layouts of these, the first, on which luck is taken out too.", 0)
    agents: tuple[str, ...] = option((), "An agent, all unless given; may be repeated.")
    tasks: tuple[str, ...] = option((), "A task, all unless given; may be repeated.")
    out: Path = option(
        Path("docs") / VERSION, "The folder of the results.", type=click.Path(path_type=Path)
    )
    models: Path = option(
        Path("training") / VERSION, "The folder of the models.", type=click.Path(path_type=Path)
    )


def run(settings: Settings) -> Iterator[str]:
    """Yield what is played as it goes, the table, and the outcome."""
    settings.out.mkdir(parents=True, exist_ok=True)
    for task in TASKS.values():
        if settings.tasks and task.name not in settings.tasks:
            continue
        for name in (*UNTRAINED, *SOURCES, *CLIENTS):
            if settings.agents and name not in settings.agents:
                continue
            yield from _row(name, task, settings)
    results = results_in(settings.out)
    rows = rows_of(results)
    (settings.out / "table.svg").write_text(figure_of(rows), encoding="utf-8")
    yield table_of(rows, "github")
    ratios = {
        task.name: round(min(row.ratio or 0 for row in rows if row.task == task), 4)
        for task in TASKS.values()
        if task.optimum is not None and any(row.task == task for row in rows)
    }
    worst = max(ratios.values(), default=0)
    yield outcome_line("battleship", ratio=worst, best_to_optimum=ratios, rows=len(rows))


def _row(name: str, task: Task, settings: Settings) -> Iterator[str]:
    """Yield notes while an agent is trained for a task, if it is trained at all, and played."""
    if name in UNTRAINED:
        yield from _played(agent_named(name), task, settings, Run(layouts=settings.layouts))
        return
    for shots in settings.shots:
        for seed in range(1, settings.seeds + 1):
            folder = settings.models / f"{task.name}-{name}-{shots}-{seed}"
            yield Note(f"{task.name}: {name}, {shots:,} shots, seed {seed}")
            train = _client if name in CLIENTS else _of_source
            agent = train(name, task, shots, seed, folder)
            if agent is None:
                yield Note(f"{task.name}: {name} does not learn this here")
                return
            run = Run(shots=shots, seed=seed, layouts=settings.layouts)
            yield from _played(agent, task, settings, run)


def _played(agent: Agent, task: Task, settings: Settings, run: Run) -> Iterator[Note]:
    if not task.is_exact and why_not_adjusted(task.rules) is None:
        run = replace(run, adjusted=settings.adjusted)
    try:
        for result in evaluate(agent, task, settings.out, run):
            yield Note(f"{task.name}: {agent.name}: {len(result.turns)} games")
    except NotPlayedError as error:
        yield Note(f"{task.name}: {error}")
    except OtherAgentError:
        # A bot's content is hashed with what it imports of Salvo, which changes with each version.
        yield Note(f"{task.name}: {agent.name}: kept as an earlier version of Salvo played it")


def _of_source(name: str, task: Task, shots: int, seed: int, folder: Path) -> Agent | None:
    """Return an agent of a source, trained for at most so many shots; None if it cannot be.

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

    def player(rules: Rules, *_: object) -> InProcessPlayer:
        return InProcessPlayer(kind, view(rules), UNHURRIED)

    return Agent(name, "bot", digest, player)


def _client(name: str, task: Task, shots: int, seed: int, folder: Path) -> Agent | None:
    """Return an agent of Stable-Baselines3, trained for so many shots; None if that is missing."""
    if find_spec("sb3_contrib") is None:
        return None
    file = folder / "model.zip"
    if not file.exists():
        torch = importlib.import_module("torch")
        torch.set_num_threads(1)
        made: dict[str, Any] = {"rules": task.name, "observations": "flat"}
        if name != "MaskablePPO":
            made |= {"illegal": "cost", "max_episode_steps": 2 * task.rules.cells}
        importlib.import_module("arena.environments")
        make = importlib.import_module("stable_baselines3.common.env_util").make_vec_env
        gymnasium = importlib.import_module("gymnasium")
        environment = make(
            partial(gymnasium.make, "salvo/Solo-v0", **made), n_envs=SIDE_BY_SIDE, seed=seed
        )
        algorithm = getattr(importlib.import_module(CLIENTS[name]), name)
        model = algorithm("MlpPolicy", environment, seed=seed, **CLIENT_SETTINGS[name])
        model.learn(shots)
        folder.mkdir(parents=True, exist_ok=True)
        fresh = folder / "fresh.zip"
        model.save(fresh)
        fresh.replace(file)
    return agent_named(f"{name}={name}:{file}")

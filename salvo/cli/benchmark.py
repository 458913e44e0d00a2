"""`salvo benchmark`: plays agents at the tasks of battleship-v1, and prints the table."""

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from arena.errors import UserError
from salvo.cli.options.option_types import FOLDER, WholeRange
from salvo.cli.options.output_options import make_folder
from salvo.cli.options.run_options import choose_level, isolation_option

if TYPE_CHECKING:
    from salvo.benchmark.agents import Agent
    from salvo.benchmark.games import Run
    from salvo.benchmark.tasks import Task


@click.command()
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@click.option(
    "--task",
    "tasks",
    multiple=True,
    help="A task; may be repeated. Those that the agent plays unless given.",
)
@click.option(
    "--shots",
    default=0,
    show_default=True,
    type=WholeRange(min=0, max=10**12),
    help="Shots that the agents were trained for.",
)
@click.option(
    "--layouts",
    type=WholeRange(min=2),
    help="Play at the first of the layouts alone, where not every one is played, or the first "
    "games of the task for two; all of 1,000 unless given.",
)
@click.option(
    "--fresh",
    type=WholeRange(min=0),
    help="Play at fresh layouts, and fresh games for two, by this seed.",
)
@click.option(
    "--adjusted",
    default=0,
    show_default=True,
    type=WholeRange(min=0),
    help="Take luck out of so many games alone too, the first; each takes a second or so.",
)
@click.option(
    "--out",
    type=FOLDER,
    default="battleship-v1",
    show_default=True,
    help="The folder of the results and the figure; results of others may be put there.",
)
@isolation_option
def benchmark(  # noqa: PLR0913 - the options
    *,
    agents: tuple[str, ...],
    tasks: tuple[str, ...],
    shots: int,
    layouts: int | None,
    fresh: int | None,
    adjusted: int,
    out: Path,
    isolation: str,
) -> None:
    """Play agents at the tasks of battleship-v1, and print the table of all results.

    An AGENT is a bot, as hunt_target or my_bot.py; a model of Stable-Baselines3 or sb3-contrib, as
    PPO:model.zip; or a function of an observation and its mask, as my_agent.py:choose. NAME=AGENT
    names it. Agents of one name are trainings by the seeds 1, 2, 3 and so on. What the folder has
    already is not played again; without any AGENT its table is printed.
    """
    from salvo.benchmark.agents import agent_named
    from salvo.benchmark.figure import figure_of
    from salvo.benchmark.games import Run
    from salvo.benchmark.results import only_one, results_in
    from salvo.benchmark.standings import rows_of, table_of
    from salvo.benchmark.tasks import TASKS, task_named

    wanted = [task_named(name) for name in tasks] or list(TASKS.values())
    entered = [agent_named(text) for text in agents]
    _refuse_others_of_a_name(entered)
    if entered:
        make_folder(out, "--out")
        with only_one(out):
            results_in(out)  # what is damaged is told before hours of games
            level = choose_level(isolation).level
            seeds: Counter[str] = Counter()
            for agent in entered:
                seeds[agent.name] += 1
                run = Run(shots, seeds[agent.name], layouts, fresh, adjusted, level)
                if not sum(_played(agent, task, out, run, named=bool(tasks)) for task in wanted):
                    raise UserError(f"agent {agent.name}: it plays none of these tasks; see above")
    rows = rows_of(results_in(out))
    click.echo(table_of(rows) if rows else f"{out} has no results yet; name an AGENT")
    figure = out / "table.svg"
    try:
        figure.write_text(figure_of(rows), encoding="utf-8")
        click.echo(f"figure: {figure}", err=True)
    except OSError as error:
        click.echo(f"figure: not written to {figure}: {error.strerror}", err=True)


def _refuse_others_of_a_name(agents: Sequence["Agent"]) -> None:
    """Refuse agents that cannot be trainings of one by several seeds."""
    for agent, other in combinations(agents, 2):
        if agent.name != other.name:
            continue
        if agent.kind != other.kind:
            raise UserError(
                f"agent {agent.name}: a {agent.kind} and a {other.kind} are no trainings of "
                "one; name them differently, NAME=AGENT"
            )
        if agent.kind != "bot" and agent.digest == other.digest:
            raise UserError(f"agent {agent.name}: the same file is named twice")


def _played(agent: "Agent", task: "Task", out: Path, run: "Run", *, named: bool) -> bool:
    """Play an agent at a task, and return whether it plays it.

    One that it does not play is named, and refused if it was asked for.
    """
    from salvo.benchmark.evaluation import evaluate

    total = run.games(task)
    title = f"{agent.name}: {task.name}"
    with tqdm(total=total, unit=" games", desc=title, file=sys.stderr) as bar:
        try:
            for result in evaluate(agent, task, out, run):
                bar.update(min(len(result.scores), total) - bar.n)
        except UserError as error:
            if named:
                raise
            bar.write(f"{agent.name} is left out at {task.name}: {error}", file=sys.stderr)
            return False
    return True

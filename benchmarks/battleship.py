"""Trains the baselines of battleship-v1 by several seeds, and makes the table of docs/benchmark.md.

What the folders have already is neither trained nor played again, so that the same command goes on
from there; what has all its results is not trained again if its model is lost. The agents of
Stable-Baselines3 need sb3-contrib; without it they are left out. The tables are written into the
page, if there is one beside the folder of the results.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import click

from benchmarks.baselines.clients import CLIENTS, trained_client
from benchmarks.baselines.sources import SOURCES, trained_source
from benchmarks.lines import Note, outcome_line
from benchmarks.options import option
from salvo.benchmark.agents import Agent, agent_named
from salvo.benchmark.evaluation import OtherAgentError, evaluate, is_played, unplayed
from salvo.benchmark.figure import figure_of
from salvo.benchmark.games import NotPlayedError, Run
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
    "self_play",
)
"""Bundled bots that are played as they are; the last three with the weights that are bundled."""

PAGE = "benchmark.md"
BEGIN, END = "<!-- table -->\n", "\n<!-- end -->"
"""The comments on the page between which the tables stand."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    shots: tuple[int, ...] = option((100_000,), "Shots of a training; may be repeated.")
    seeds: int = option(5, "Seeds of each training, from 1 on.", least=2)
    layouts: int = option(1000, "Layouts of a task that has too many to play each.", least=2)
    adjusted: int = option(0, "Layouts of these, the first, on which luck is taken out too.", 0)
    tables: bool = option(default=False, about="Play nothing: make the tables of what was played.")
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
    if not settings.tables:
        yield from _rows(settings)
    rows = rows_of(results_in(settings.out))
    tables = table_of(rows, "github")
    (settings.out / "table.svg").write_text(figure_of(rows), encoding="utf-8")
    page = settings.out.with_name(PAGE)
    if page.exists():
        before, after = _around_tables(page.read_text(encoding="utf-8"))
        page.write_text(before + tables + after, encoding="utf-8")
    yield tables
    ratios = {
        task.name: round(min(row.ratio or 0 for row in rows if row.task == task), 4)
        for task in TASKS.values()
        if task.optimum is not None and any(row.task == task for row in rows)
    }
    worst = max(ratios.values(), default=0)
    yield outcome_line("battleship", ratio=worst, best_to_optimum=ratios, rows=len(rows))


def _around_tables(page: str) -> tuple[str, str]:
    """Return the text of a page before its tables, and after them."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    return before + begin, end + after


def _rows(settings: Settings) -> Iterator[Note]:
    for task in TASKS.values():
        if settings.tasks and task.name not in settings.tasks:
            continue
        for name in (*UNTRAINED, *SOURCES, *CLIENTS):
            if not settings.agents or name in settings.agents:
                yield from _row(name, task, settings)


def _row(name: str, task: Task, settings: Settings) -> Iterator[Note]:
    """Yield notes while an agent is trained for a task, if it is trained at all, and played."""
    if name in UNTRAINED:
        run = _adjusted(task, settings, Run(layouts=settings.layouts))
        if not is_played(name, task, settings.out, run):
            yield from _played(agent_named(name), task, settings, run)
        return
    for shots in settings.shots:
        for seed in range(1, settings.seeds + 1):
            run = _adjusted(task, settings, Run(shots, seed, settings.layouts))
            if is_played(name, task, settings.out, run):
                continue
            folder = settings.models / f"{task.name}-{name}-{shots}-{seed}"
            if not folder.exists():  # a part of the games of a model that is lost cannot go on
                (settings.out / unplayed(name, task, run).file).unlink(missing_ok=True)
            yield Note(f"{task.name}: {name}, {shots:,} shots, seed {seed}")
            train = trained_client if name in CLIENTS else trained_source
            agent = train(name, task, shots, seed, folder)
            if agent is None:
                yield Note(f"{task.name}: {name} does not learn this here")
                return
            yield from _played(agent, task, settings, run)


def _adjusted(task: Task, settings: Settings, run: Run) -> Run:
    """Return the run with luck taken out too, where that can be done."""
    if task.is_exact or task.opponents or why_not_adjusted(task.rules) is not None:
        return run
    return replace(run, adjusted=settings.adjusted)


def _played(agent: Agent, task: Task, settings: Settings, run: Run) -> Iterator[Note]:
    try:
        for result in evaluate(agent, task, settings.out, run):
            yield Note(f"{task.name}: {agent.name}: {len(result.scores)} games")
    except NotPlayedError as error:
        yield Note(f"{task.name}: {error}")
    except OtherAgentError:
        # A bot's content is hashed with what it imports of Salvo, which changes with each version.
        yield Note(f"{task.name}: {agent.name}: kept as an earlier version of Salvo played it")

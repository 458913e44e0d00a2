"""Makes the table of a benchmark, one row an agent and training, and writes it as text."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from tabulate import tabulate

from leaderboards.turns.means import half_width
from salvo.benchmark.results import Played, Reported, Result
from salvo.benchmark.tasks import TASKS, Task, layouts_of


@dataclass(frozen=True)
class Row:
    """One agent at one task.

    Attributes:
        shots: Shots of its training, 0 if it was not trained.
        mean: The mean of its turns or, at a task for two, of its points.
        seeds: How many trainings, or runs.
        games: Games of each, 0 if that is not told.
        half: Half the width of the 95% interval of the mean; NaN if there is none.
        told: The ends of that interval, if somebody else reports them.
        adjusted: The mean less luck with half its interval, and of how many games; None if it was
            not worked out.
        checked: Whether it was played here, on the layouts of the benchmark.
        against: The mean points against each opponent of a task for two; empty if not known.
        note: What else is to be said.
    """

    task: Task
    agent: str
    shots: int
    seeds: int
    games: int
    mean: float
    half: float
    adjusted: tuple[float, float, int] | None
    checked: str
    against: tuple[float, ...] = ()
    note: str = ""
    told: tuple[float, float] | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the interval; the mean if there is none."""
        half = 0.0 if np.isnan(self.half) else self.half
        return self.told or (self.mean - half, self.mean + half)

    @property
    def ratio(self) -> float | None:
        """The mean as a multiple of the optimum, if that is known."""
        return None if self.task.optimum is None else self.mean / self.task.optimum


def rows_of(results: Iterable[Result]) -> list[Row]:
    """Return the rows, task by task, the best first."""
    groups: defaultdict[tuple[str, str, int, int | None], list[Played]] = defaultdict(list)
    rows = []
    for result in results:
        if isinstance(result, Reported):
            rows.append(_reported(result))
        elif result.scores:
            groups[result.task, result.agent, result.shots, result.fresh].append(result)
    rows += [_played(group) for group in groups.values()]
    return sorted(rows, key=_place)


def _place(row: Row) -> tuple[int, float, str]:
    best_first = -row.mean if row.task.opponents else row.mean
    return list(TASKS).index(row.task.name), best_first, row.agent


def _reported(result: Reported) -> Row:
    told = None
    if result.low is not None and result.high is not None:
        told = result.low, result.high
    return Row(
        task=TASKS[result.task],
        agent=result.agent,
        shots=result.shots,
        seeds=result.seeds,
        games=0,
        mean=result.mean,
        half=(told[1] - told[0]) / 2 if told else float("nan"),
        adjusted=None,
        checked="reported, not checked",
        note=result.source,
        told=told,
    )


def _played(group: Sequence[Played]) -> Row:
    task = TASKS[group[0].task]
    games = min(len(result.scores) for result in group)
    without_luck = min(len(result.adjusted) for result in group)
    adjusted = None
    if without_luck > 1:
        less = _mean(task, None, [result.adjusted[:without_luck] for result in group])
        adjusted = (*less, without_luck)
    scores = [result.scores[:games] for result in group]
    fresh, kind = group[0].fresh, "games" if task.opponents else "layouts"
    mean, half = _mean(task, fresh, scores)
    forfeits = sum(result.forfeits for result in group)
    notes = [f"forfeited {forfeits}: {group[0].reason}"] if forfeits else []
    # By chance nobody gets that far below.
    if task.optimum is not None and mean + 2 * half < task.optimum:
        notes.append("less than is possible for who does not know the layouts")
    return Row(
        task=task,
        agent=group[0].agent,
        shots=group[0].shots,
        seeds=len(group),
        games=games,
        mean=mean,
        half=half,
        adjusted=adjusted,
        checked="yes" if fresh is None else f"fresh {kind} {fresh}",
        against=_by_opponent(task, scores),
        note="; ".join(notes),
    )


def _by_opponent(task: Task, by_seed: Sequence[Sequence[float]]) -> tuple[float, ...]:
    number = len(task.opponents)
    if len(by_seed[0]) < number:
        return ()
    return tuple(
        float(np.mean([scores[place::number] for scores in by_seed])) for place in range(number)
    )


def _mean(task: Task, fresh: int | None, by_seed: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return a mean with half its 95% interval.

    Of several seeds the interval is that of trainings like these: Student's of their means. Of one
    it is that of layouts like these; where every layout is played, that of the agent's own chance;
    and against opponents, that of other games against the same.
    """
    means = [float(np.mean(numbers)) for numbers in by_seed]
    mean = float(np.mean(means))
    if len(means) > 1:
        return mean, half_width(float(np.std(means, ddof=1)), len(means))
    whole = _by_round(task, fresh, by_seed[0])
    if len(whole) < 2:  # noqa: PLR2004 - each was played once: what chance does is not known
        return mean, float("nan")
    within = float(np.sqrt(whole.var(axis=0, ddof=1).mean()))
    return mean, half_width(within, whole.size)


def _by_round(
    task: Task, fresh: int | None, scores: Sequence[float]
) -> "np.typing.NDArray[np.float64]":
    """Return scores with a row for each round and a column for each opponent, or layout."""
    numbers = np.array(scores, dtype=float)
    if task.is_exact:
        every = layouts_of(task, fresh)
        ranks = {layout: rank for rank, layout in enumerate(sorted(set(every)))}
        each, order = len(ranks), np.array([ranks[layout] for layout in every[: len(scores)]])
    else:
        each = max(len(task.opponents), 1)
        order = np.arange(len(scores)) % each
    size = len(numbers) // each * each
    whole = np.empty((size // each, each))
    whole[np.arange(size) // each, order[:size]] = numbers[:size]
    return whole


ROUNDING = 1e-3
"""By how much an interval may lean to one side of its mean, and still be shown with a ±."""

_BEGINNING, _END = ["agent", "trained", "seeds"], ["games", "checked"]


def heads_of(task: Task) -> list[str]:
    """Return the heads of the columns of a task's table."""
    if task.opponents:
        return [*_BEGINNING, "points", *task.opponents, *_END]
    return [*_BEGINNING, "turns", "less luck", "to optimum", *_END]


def table_of(rows: Sequence[Row], form: str = "simple") -> str:
    """Return the rows as text, a table for each task; ``form`` is one of tabulate's."""
    tables = []
    for task in TASKS.values():
        own = [row for row in rows if row.task == task]
        if not own:
            continue
        optimum = "" if task.optimum is None else f", optimum {task.optimum:g}"
        cells = [_cells(row) for row in own]
        lines = tabulate(cells, heads_of(task), tablefmt=form, disable_numparse=True)
        notes = "".join(f"\n{row.agent}: {row.note}" for row in own if row.note)
        title = f"### {task.name}{optimum}\n" if form == "github" else f"{task.name}{optimum}"
        tables.append(f"{title}\n{lines}{notes}")
    return "\n\n".join(tables)


def _cells(row: Row) -> list[str]:
    return [
        row.agent,
        f"{row.shots:,}" if row.shots else "",
        str(row.seeds),
        _with_interval(row),
        *(_points_cells(row) if row.task.opponents else _turns_cells(row)),
        str(row.games) if row.games else "",
        row.checked,
    ]


def _turns_cells(row: Row) -> list[str]:
    return [
        "" if row.adjusted is None else f"{_with_half(*row.adjusted[:2])} ({row.adjusted[2]})",
        "" if row.ratio is None else f"{row.ratio:.3f}",
    ]


def _points_cells(row: Row) -> list[str]:
    return [f"{points:.3f}" for points in row.against] or [""] * len(row.task.opponents)


def _with_interval(row: Row) -> str:
    low, high = row.ends
    if abs(low + high - 2 * row.mean) > ROUNDING:
        return f"{row.mean:.3f} ({low:.3f} to {high:.3f})"
    return _with_half(row.mean, row.half)


def _with_half(mean: float, half: float) -> str:
    return f"{mean:.3f}" if np.isnan(half) else f"{mean:.3f} ± {half:.3f}"

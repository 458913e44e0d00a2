"""Reads and writes results of the benchmark: a JSON file for each agent, task and seed."""

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from arena.errors import UserError
from salvo.benchmark.tasks import DRAWN, TASKS, VERSION, Task, conditions_hash, layouts_of
from salvo.locks import held

_Line = Annotated[str, Meta(min_length=1, max_length=300, pattern=r"^[^\x00-\x1f\x7f]*$")]
_Shots = Annotated[int, Meta(ge=0, le=10**12)]


class Played(msgspec.Struct, frozen=True, kw_only=True, tag="played", forbid_unknown_fields=True):
    """Games of one agent at one task, played here.

    Attributes:
        shots: Shots that the agent was trained for, as whoever ran it says; 0 if it was not.
        seed: The seed of its training, or the number of the run if it was not trained.
        layouts: The hash of the layouts or the opponents, see
            ``salvo.benchmark.tasks.conditions_hash``.
        fresh: The seed of fresh layouts or games; None for those of the benchmark.
        turns: The turns at each layout, in order; a forfeit counts as many as there are cells.
        adjusted: The same less luck, of the first so many.
        points: Of a task for two, the points of each game, in order.
        forfeits: How many games were forfeited.
        reason: The reason for the first of them.
    """

    benchmark: str = VERSION
    task: str
    agent: _Line
    kind: str
    digest: str
    shots: _Shots = 0
    seed: Annotated[int, Meta(ge=1)] = 1
    layouts: str
    fresh: Annotated[int, Meta(ge=0)] | None = None
    turns: tuple[int, ...] = ()
    adjusted: tuple[float, ...] = ()
    points: tuple[float, ...] = ()
    forfeits: Annotated[int, Meta(ge=0)] = 0
    reason: str = ""

    @property
    def scores(self) -> tuple[float, ...]:
        """What each game counts: turns, or points."""
        return self.points or self.turns

    @property
    def file(self) -> str:
        """The name of its file."""
        parts = [self.task, self.agent, f"{self.shots}", f"{self.seed}"]
        if self.fresh is not None:
            parts.append(f"fresh-{self.fresh}")
        return "-".join(parts).replace(" ", "_").replace("/", "_") + ".json"


class Reported(
    msgspec.Struct, frozen=True, kw_only=True, tag="reported", forbid_unknown_fields=True
):
    """A result that somebody else reports, which nobody checked here.

    Attributes:
        mean: The mean of its turns or points.
        low: The lower end of its 95% interval, if it is told.
        high: The upper end.
        source: Where it can be read.
    """

    benchmark: str = VERSION
    task: str
    agent: _Line
    shots: _Shots = 0
    seeds: Annotated[int, Meta(ge=1)] = 1
    mean: float
    low: float | None = None
    high: float | None = None
    source: _Line


Result = Played | Reported


def read_result(path: Path) -> Result:
    """Return the result in a file.

    Raises:
        UserError: If it has none of this benchmark.
    """
    try:
        result: Result = msgspec.json.decode(path.read_bytes(), type=Played | Reported)
    except msgspec.MsgspecError as error:
        raise UserError(f"result {path}: {error}; correct or remove the file") from error
    if result.benchmark != VERSION or result.task not in TASKS:
        raise UserError(
            f"result {path}: task {result.task!r} of {result.benchmark}; this is {VERSION} with "
            f"{', '.join(TASKS)}"
        )
    task = TASKS[result.task]
    if isinstance(result, Played):
        wrong = _wrong_in_games(result, task)
    else:
        wrong = _wrong_in_report(result, task)
    if wrong:
        raise UserError(f"result {path}: {wrong}; correct or remove the file")
    return result


def _wrong_in_games(result: Played, task: Task) -> str:
    duel, rules, games = bool(task.opponents), task.rules, len(result.scores)
    counted = "points" if duel else "turns"
    fleet = sum(ship.length for ship in rules.fleet)
    least = -(-fleet // rules.shots) if isinstance(rules.shots, int) else 1
    most = DRAWN if duel else len(layouts_of(task, result.fresh))
    turns = result.turns or (least,)
    wrong = (
        (result.turns if duel else result.points, f"it may have {counted} alone"),
        (result.layouts != conditions_hash(task, result.fresh), "its layouts are others"),
        (not set(result.points) <= {0, 0.5, 1}, "points: a game has 0, 0.5 or 1"),
        (
            not least <= min(turns) <= max(turns) <= rules.cells,
            f"turns: a game takes {least} to {rules.cells}",
        ),
        (games > most, f"{games} games are more than there are"),
        (len(result.adjusted) > games, "adjusted: more than there are games"),
        (result.forfeits > games, "forfeits: more than there are games"),
    )
    return next((f"of {task.name}: {text}" for is_so, text in wrong if is_so), "")


def _wrong_in_report(result: Reported, task: Task) -> str:
    most = 1 if task.opponents else task.rules.cells
    if not 0 <= result.mean <= most:
        return f"mean: {result.mean:g} is not between 0 and {most}"
    if (result.low is None) != (result.high is None):
        return "low and high: give both or none"
    low, high = result.low, result.high
    if low is not None and high is not None and not 0 <= low <= result.mean <= high < math.inf:
        return f"low and high: the mean {result.mean:g} does not lie from {low:g} to {high:g}"
    return ""


def results_in(folder: Path) -> list[Result]:
    """Return all results of a folder, in the order of their files' names.

    Raises:
        UserError: If a file has none of this benchmark, or two have the same games.
    """
    found: list[Result] = []
    played: dict[str, Path] = {}
    for path in sorted(folder.glob("*.json")):
        result = read_result(path)
        found.append(result)
        if isinstance(result, Played) and (other := played.setdefault(result.file, path)) != path:
            raise UserError(f"result {path}: {other.name} has the same seed; remove one")
    return found


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Make sure that nobody else plays into a folder.

    Raises:
        UserError: If somebody does.
    """
    told = f"--out {folder}: another `salvo benchmark` plays into it; wait, or name another"
    with held(folder / ".lock", told):
        yield


def write_result(folder: Path, result: Played) -> None:
    """Write a result, or leave the one before as it is."""
    path = folder / result.file
    fresh = path.with_suffix(".new")
    fresh.write_bytes(msgspec.json.encode(result) + b"\n")
    os.replace(fresh, path)  # noqa: PTH105 - the one way that is whole or not at all

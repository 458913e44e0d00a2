"""Reads and writes results of the benchmark: a JSON file for each agent, task and seed."""

import os
from pathlib import Path

import msgspec

from arena.errors import UserError
from salvo.benchmark.tasks import TASKS, VERSION


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
    agent: str
    kind: str
    digest: str
    shots: int = 0
    seed: int = 1
    layouts: str
    fresh: int | None = None
    turns: tuple[int, ...] = ()
    adjusted: tuple[float, ...] = ()
    points: tuple[float, ...] = ()
    forfeits: int = 0
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
    agent: str
    shots: int = 0
    seeds: int = 1
    mean: float
    low: float | None = None
    high: float | None = None
    source: str


Result = Played | Reported


def read_result(path: Path) -> Result:
    """Return the result in a file.

    Raises:
        UserError: If it has none of this benchmark.
    """
    try:
        result: Result = msgspec.json.decode(path.read_bytes(), type=Played | Reported)
    except msgspec.MsgspecError as error:
        raise UserError(f"result {path}: {error}") from error
    if result.benchmark != VERSION or result.task not in TASKS:
        raise UserError(
            f"result {path}: task {result.task!r} of {result.benchmark}; this is {VERSION} with "
            f"{', '.join(TASKS)}"
        )
    duel = bool(TASKS[result.task].opponents)
    if isinstance(result, Played) and (result.turns if duel else result.points):
        counted = "points" if duel else "turns"
        raise UserError(f"result {path}: of {result.task} it may have {counted} alone")
    return result


def results_in(folder: Path) -> list[Result]:
    """Return all results of a folder, in the order of their files' names.

    Raises:
        UserError: If a file has none of this benchmark.
    """
    return [read_result(path) for path in sorted(folder.glob("*.json"))]


def write_result(folder: Path, result: Played) -> None:
    """Write a result, or leave the one before as it is."""
    path = folder / result.file
    fresh = path.with_suffix(".new")
    fresh.write_bytes(msgspec.json.encode(result) + b"\n")
    os.replace(fresh, path)  # noqa: PTH105 - the one way that is whole or not at all

"""Plays the bots that learned, and trains again what is compared.

The agents of the sources are trained by each of several seeds, which takes some ten minutes. 10,000
layouts, as the targets have them, take an hour; those games go into the record, and the same
command goes on from there. Some tables need the extra `deep`.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from arena.environments.layout_batches import Drawing
from arena.environments.solo_boards import Flags, Numbers
from arena.errors import UserError
from arena.rules import Rules, preset
from benchmarks.compared.deep import COMPARED, deep_cost, deep_strength
from benchmarks.compared.gap import gap
from benchmarks.compared.small_games import AIM, AIMED, case_5, the_five_cases, the_row
from benchmarks.compared.trainings import Trainings, train
from benchmarks.compared.unknown_fleet import unknown_fleet
from benchmarks.lines import Findings, Note, outcome_line, target_table
from benchmarks.options import option, record
from bots.training import ramesh
from salvo.conditions import cores

SPEED_RULES = replace(preset("ramesh-5"), name="5x5 with two shots", rows=5, columns=5)
SPEED_GAMES = 10_000
MOST_TRAINING_S = 60
LEAST_SHOTS_PER_S = 1_000_000

BOARDS = 4096
SEED = 1

Shoot = Callable[[Numbers], Flags]
"""Shoots one cell in each game, begins anew those that it ends, and says which."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    layouts: int = option(
        1000, f"Layouts of deep_salvo's classic game; others play {COMPARED} at most.", least=2
    )
    games: int = option(
        10_000, "Games of a training of the sources' agents; others in proportion.", least=100
    )
    seeds: int = option(10, "Seeds by which each of them is trained, from 1 on.", least=2)
    shots: int = option(10_000_000, "Shots of the batched environment that are timed.")
    db: Path = record("learning.sqlite3")
    workers: int = option(
        cores(), "Blocks of games played in parallel.", show_default="one per core"
    )


def run(settings: Settings) -> Iterator[str]:
    """Yield the tables, what they show, and the outcome."""
    findings = Findings()
    games = settings.games
    # First: what lacks the extra is refused before anything takes minutes.
    yield from _speed(games, settings.shots, findings)
    trainings = Trainings(settings.seeds, games)
    yield from the_five_cases(trainings, findings)
    yield from case_5(trainings, findings)
    yield from the_row(trainings, findings)
    yield from unknown_fleet(min(settings.layouts, COMPARED), trainings, findings)
    yield from deep_strength(settings.layouts, settings.workers, settings.db, findings)
    yield from deep_cost(findings)
    yield from gap(games, findings.numbers)
    yield target_table(findings.targets)
    ratios = findings.numbers.pop("to_optimum")
    yield outcome_line(
        "learning",
        ratio=round(max(ratios[name] for name in AIMED), 4),
        aim=AIM,
        **findings.counts(),
        to_optimum={name: round(ratio, 4) for name, ratio in ratios.items()},
        **findings.numbers,
    )


def _speed(games: int, shots: int, findings: Findings) -> Iterator[str]:
    """Yield how long training takes, and how fast the batched environment is."""
    yield Note("random shots in the batched environment")
    batched, bare = _batch_speeds(preset("classic"), shots)
    yield (
        f"Random shots a second on one core, classic, 4,096 boards: {batched:,.0f} through the "
        f"environment, {bare:,.0f} in bare numpy: {batched / bare:.2f} of it."
    )
    yield Note("training on 5x5 with two shots")
    trainer = ramesh.Trainer(ramesh.Settings(games=games), rules=SPEED_RULES)
    started, used = time.monotonic(), time.process_time()
    played = len(train(trainer, games))
    seconds, processor = time.monotonic() - started, time.process_time() - used
    yield (
        f"Training {played:,} games on 5x5 with two shots: {seconds:.1f} s, {processor:.1f} s of a "
        f"core (the source: about 30 minutes for {SPEED_GAMES:,}).\n"
    )
    findings.numbers |= {
        "training_s": round(processor, 1),
        "shots_per_s": round(batched),
        "share_of_bare": round(batched / bare, 3),
    }
    findings.add(
        f"training {played:,} games on 5x5 with two shots",
        f"{MOST_TRAINING_S} s",
        f"{processor:.1f} s of a core",
        met=processor <= MOST_TRAINING_S,
    )
    findings.add(
        "batched environment, random shots a second on one core",
        f"{LEAST_SHOTS_PER_S:,}",
        f"{batched:,.0f}",
        met=batched >= LEAST_SHOTS_PER_S,
    )


def _batch_speeds(rules: Rules, shots: int) -> tuple[float, float]:
    """Return random shots a second of processor time, through the environment and without it.

    Through it, each step gives a copy of every observation and mask, as a learner is given them;
    without it, there is no more than the ships, the cells that are left, and fresh layouts. The
    rules have one shot a turn.

    Raises:
        UserError: If the extra ``learn`` is not installed.
    """
    steps = max(shots // BOARDS, 1)
    through, bare = _through_boards(rules), _in_bare_numpy(rules)
    return _timed(through, rules.cells, steps), _timed(bare, rules.cells, steps)


def _timed(shoot: Shoot, cells: int, steps: int) -> float:
    """Return shots a second, each game in a random order of its own."""
    random = np.random.default_rng(SEED)
    orders = random.permuted(np.tile(np.arange(cells), (BOARDS, 1)), axis=1)
    every = np.arange(BOARDS)
    fired = np.zeros(BOARDS, dtype=np.int64)
    started = time.process_time()
    for _ in range(steps):
        over = shoot(orders[every, fired])
        fired += 1
        ended = np.flatnonzero(over)
        if ended.size:
            fired[ended] = 0
            orders[ended] = random.permuted(orders[ended], axis=1)
    return steps * BOARDS / (time.process_time() - started)


def _through_boards(rules: Rules) -> Shoot:
    try:
        from arena.environments import BatchedSoloEnv  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise UserError(str(error)) from error
    environment = BatchedSoloEnv(BOARDS, rules)
    environment.reset(seed=SEED)

    def shoot(cells: Numbers) -> Flags:
        _, _, over, _, _ = environment.step(cells)
        return over

    return shoot


def _in_bare_numpy(rules: Rules) -> Shoot:
    drawing = Drawing(rules, np.random.default_rng(SEED))
    occupied = drawing.draw(BOARDS) >= 0
    every = np.arange(BOARDS)
    whole = sum(ship.length for ship in rules.fleet)
    left = np.full(BOARDS, whole)

    def shoot(cells: Numbers) -> Flags:
        nonlocal left
        left -= occupied[every, cells]
        over: Flags = left == 0
        ended = np.flatnonzero(over)
        if ended.size:
            occupied[ended] = drawing.draw(len(ended)) >= 0
            left[ended] = whole
        return over

    return shoot

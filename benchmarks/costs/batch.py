"""Times random shots through the batched boards, and in the same loop of bare numpy."""

import time
from collections.abc import Callable

import numpy as np

from arena.environments.layout_batches import Drawing
from arena.environments.solo_boards import Flags, Numbers
from arena.errors import UserError
from arena.rules import Rules

BOARDS = 4096
SEED = 1


def batch_speeds(rules: Rules, shots: int) -> tuple[float, float]:
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


Shoot = Callable[[Numbers], Flags]
"""Shoots one cell in each game, begins anew those that it ends, and says which."""


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

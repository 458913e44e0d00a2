"""`salvo bench placement`: what the placement policy is worth, and what adapting takes back."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from arena.bot import Bot
from arena.records import Game
from arena.referee import play_bots
from arena.rules import Layout, Rules, name_layout, preset
from bots.deep_salvo.bot import DeepSalvo
from bots.hunt_parity import HuntParity
from bots.hunt_target import HuntTarget
from bots.monte_carlo import MonteCarlo
from bots.posterior_greedy import PosteriorGreedy
from bots.posterior_parity import PosteriorParity
from bots.probability_density import ProbabilityDensity
from bots.q_learning.bot import QLearning
from bots.tactics.placement.layouts import (
    MASKS,
    Doubles,
    Floats,
    Indices,
    Tilt,
    draw_layouts,
    features,
    stored_tilt,
)
from bots.tactics.placement.shooters import PLAIN, SALVO, Shooter, play, shooter_for, worth
from bots.uniform_random import UniformRandom
from bots.value_search import ValueSearch
from salvo.bench.alone import turns_at
from salvo.bench.controlled import Measured, controlled, difference
from salvo.bench.knowing import Knowing
from salvo.bench.lines import Note, aligned, outcome_line

__all__ = ["RULES", "placement"]

RULES = ("classic", "salvo")
SEED = 31

SLOW = 6
"""Bots that take some tenths of a second a game play this many times fewer games."""

FIELD: dict[str, tuple[Callable[[], Bot], int]] = {
    "uniform_random": (UniformRandom, 1),
    "hunt_target": (HuntTarget, 1),
    "hunt_parity": (HuntParity, 1),
    "q_learning": (QLearning, SLOW),
    "probability_density": (ProbabilityDensity, 1),
    "monte_carlo": (MonteCarlo, SLOW),
    "posterior_greedy": (PosteriorGreedy, 2),
    "posterior_parity": (PosteriorParity, 2),
    "deep_salvo": (DeepSalvo, SLOW),
    "value_search": (ValueSearch, SLOW),
}
"""The default field: what makes each bot, and how many times fewer games it plays."""

DUELS: dict[str, tuple[Callable[[], Bot], int]] = {
    "probability_density": (ProbabilityDensity, 1),
    "posterior_parity": (PosteriorParity, SLOW),
}

FAST = 10
"""Games that are played side by side, for each that a bot plays."""

REPEATS = 4
"""Games at each layout whose mean says how hard it is."""

POOL = 200
"""Layouts that a shooter compares with, for each game that a bot plays."""

Z = 1.96
"""Standard errors on either side of a 95% interval."""

LEARNED = (10, 100, 1000)
DOUBT = 20
"""Uniform layouts that a learner believes it has seen before the first."""


class Kind(NamedTuple):
    """Layouts of one distribution.

    Attributes:
        numbers: The layouts by number, (layouts, ships).
        easy: The turns that counting placements takes for each, of some games the mean.
        worth: The shots that its owner has in them.
    """

    numbers: Indices
    easy: Doubles
    worth: Doubles

    def masks(self, number: int) -> list[Layout]:
        """Return the first layouts in the order of the fleet."""
        return [tuple(MASKS[place] for place in row) for row in self.numbers[:number].tolist()]


class Against(NamedTuple):
    """What is compared under one rule set.

    Attributes:
        rules: The rules.
        shots: The shots of a turn.
        games: Layouts of each kind that a fast bot plays.
        uniform: Layouts drawn uniformly.
        ours: Layouts drawn by ``place``.
        tilt: The distribution of these.
    """

    rules: Rules
    shots: int
    games: int
    uniform: Kind
    ours: Kind
    tilt: Tilt


def placement(games: int, seed: int) -> Iterator[str]:
    """Compare the turns that bots need for our layouts and for uniform ones.

    Args:
        games: How many layouts of each kind a fast bot plays.
        seed: What they derive from.

    Yields:
        For each rule set a note for each bot, the table of the field, that of shooters that adapt,
        and that of matches; and the outcome.
    """
    outcome: dict[str, object] = {"benchmark": "placement", "games": games}
    for name in RULES:
        draws = np.random.default_rng([seed, RULES.index(name)])
        against = _against(name, games, draws)
        heads = ("uniform", "ours", "gain")
        field, gains = [], {}
        for shooter, row in _field(against):
            field.append((shooter, *_cells(row)))
            gains[shooter] = row[-1].written(2, "+")
            yield Note(f"{name}: {shooter} {gains[shooter]}")
        yield aligned(field, (f"{name}: shooter", *heads))
        adapting = [(shooter, *_cells(row)) for shooter, row in _adapting(against, draws)]
        yield "\n" + aligned(adapting, (f"{name}: shooter that adapts", *heads))
        wins = dict(_duels(against))
        if against.shots == 1:
            wins = {"counts": _side_by_side(against, draws), **wins}
        rows = [(shooter, *cells) for shooter, cells in wins.items()]
        yield "\n" + aligned(rows, (f"{name}: shooter of both", "wins with ours", "games")) + "\n"
        outcome[name] = {"gains": gains, "wins": {who: cells[0] for who, cells in wins.items()}}
    yield (
        "Mean turns to sink all, with 95% intervals. Gain is over the same shooter at uniform "
        "layouts; for a shooter that knows or has seen our layouts, over the one of its kind that "
        "expects every layout alike. A match is between a shooter with our layouts and itself with "
        "uniform ones, the seats swapped."
    )
    yield outcome_line(outcome)


def _against(name: str, games: int, draws: np.random.Generator) -> Against:
    """Draw the layouts, and have them counted."""
    tilt, shots = stored_tilt(name), 1 if name == "classic" else SALVO

    def kind(numbers: Indices) -> Kind:
        played = [play(numbers, PLAIN, shots, draws) for _ in range(REPEATS)]
        turns = np.mean([sunk_in.max(axis=1) for sunk_in in played], axis=0)
        return Kind(numbers, turns, np.mean([worth(one, shots) for one in played], axis=0))

    uniform, ours = draw_layouts(FAST * games, draws), tilt.draw(FAST * games, draws)
    return Against(preset(name), shots, games, kind(uniform), kind(ours), tilt)


Row = tuple[Measured, Measured, Measured]
"""At uniform layouts, at ours, and the gain."""


def _cells(row: Row) -> tuple[str, ...]:
    uniform, ours, gain = row
    return uniform.written(), ours.written(), gain.written(2, "+")


def _row(uniform: Measured, ours: Measured) -> Row:
    return uniform, ours, difference(ours, uniform)


def _alone(make: Callable[[], Bot], against: Against, kind: Kind, fewer: int) -> Measured:
    layouts = kind.masks(max(against.games // fewer, 2))
    return controlled(turns_at(make(), against.rules, layouts), kind.easy)


def _field(against: Against) -> Iterator[tuple[str, Row]]:
    for shooter, (make, fewer) in FIELD.items():
        kinds = against.uniform, against.ours
        yield shooter, _row(*(_alone(make, against, kind, fewer) for kind in kinds))


def _adapting(against: Against, draws: np.random.Generator) -> Iterator[tuple[str, Row]]:
    """Yield the rows of shooters that know our layouts, or not, or have seen some."""
    uniform, ours, tilt = against.uniform, against.ours, against.tilt

    def turns(shooter: Shooter, kind: Kind) -> Measured:
        sunk_in = play(kind.numbers, shooter, against.shots, draws)
        return controlled(sunk_in.max(axis=1), kind.easy)

    pool = draw_layouts(POOL * against.games, draws)
    odds = tilt.odds(features().of(pool))
    counted = controlled(uniform.easy, uniform.easy)
    yield "counts", _row(counted, controlled(ours.easy, ours.easy))
    for seen in LEARNED:
        learner = Shooter(_learned(tilt.draw(seen, draws), pool))
        yield f"counts, has seen {seen}", _row(counted, turns(learner, ours))
    knowing = shooter_for(pool, odds, compares=False)
    yield "counts, knows ours", _row(counted, turns(knowing, ours))
    blind = shooter_for(pool, np.ones(len(pool)), compares=True)
    compared = turns(blind, uniform)
    yield f"compares with {len(pool):,}", _row(compared, turns(blind, ours))
    knowing = shooter_for(pool, odds, compares=True)
    yield f"compares with {len(pool):,}, knows ours", _row(compared, turns(knowing, ours))
    sampled = _alone(partial(Knowing, None), against, uniform, 1)
    for shooter, known in (("posterior", None), ("posterior, knows ours", tilt)):
        yield shooter, _row(sampled, _alone(partial(Knowing, known), against, ours, 1))


def _learned(seen: Indices, uniform: Indices) -> Floats:
    """Return what placements count after some layouts: how often their class was met, or is."""
    classes, size = features().classes, len(features().names)
    met = np.bincount(classes[seen].ravel(), minlength=size)
    usual = (np.bincount(classes[uniform].ravel(), minlength=size) + 1) / len(uniform)
    odds = (met + DOUBT * usual) / ((len(seen) + DOUBT) * usual)
    weights: Floats = odds[classes].astype(np.float32)
    return weights


def _duels(against: Against) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield how often a shooter with our layouts beats itself with uniform ones."""
    # A layout wins the more often, the more shots its owner has.
    easy = against.ours.worth - against.uniform.worth
    for shooter, (make, fewer) in DUELS.items():
        pairs = max(against.games // (2 * fewer), 2)
        layouts = list(zip(against.ours.masks(pairs), against.uniform.masks(pairs), strict=True))
        wins = [_won(make, against.rules, pair, number) for number, pair in enumerate(layouts)]
        won = controlled(wins, easy)
        cells = f"{won.value:.1%} ± {won.half:.1%}", str(2 * pairs)
        yield shooter, cells


def _side_by_side(against: Against, draws: np.random.Generator) -> tuple[str, str]:
    """Return the same for counting placements, one shot a turn: then both play as if alone."""
    ours, theirs = (
        play(kind.numbers, PLAIN, against.shots, draws).max(axis=1)
        for kind in (against.ours, against.uniform)
    )

    def later(than: Indices, turns: Indices) -> Doubles:
        """Return the share of turns that are later than each of some, equal ones half."""
        ordered = np.sort(turns)
        sides = (np.searchsorted(ordered, than, side) for side in ("left", "right"))
        return np.asarray(1 - sum(sides) / (2 * len(turns)), float)

    # Whoever sinks the other first wins: ours must take longer.
    won, lost = later(theirs, ours), later(ours, theirs)
    error = np.sqrt(won.var() / len(won) + lost.var() / len(lost))
    return f"{won.mean():.1%} ± {Z * error:.1%}", f"{len(ours):,} layouts of each"


def _won(
    make: Callable[[], Bot], rules: Rules, layouts: tuple[Layout, Layout], number: int
) -> float:
    """Return the share of two games, the seats swapped, that the first layout's owner wins."""
    bots = [make(), make()]
    for bot, layout in zip(bots, layouts, strict=True):
        vars(bot)["place_fleet"] = partial(name_layout, rules, layout)
    score = 0.0
    for seat in (0, 1):
        seeds = 4 * number + 2 * seat, 4 * number + 2 * seat + 1
        game = play_bots(bots[::-1] if seat else bots, rules, seeds=seeds)
        score += _score(game, "second" if seat else "first") / 2
    return score


def _score(game: Game, seat: str) -> float:
    assert game.forfeit is None, game.reason
    return 0.5 if game.result == "draw" else float(game.result == seat)

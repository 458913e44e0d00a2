"""Compares the turns that bots need for our layouts and for uniform ones, in classic and salvo.

Fast bots play all layouts of each kind, slow ones fewer, and shooters that play many games at once
forty times as many. Some of these know the distribution of our layouts, or have seen some of them.
Called again, the same command goes on from the bots whose games are done.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from arena.bot import Bot
from arena.referee import play_bots
from arena.rules import Layout, Rules, name_layout, preset
from benchmarks.games.estimates import Estimate, estimate
from benchmarks.games.knowing import Knowing
from benchmarks.games.solo_games import turns_at
from benchmarks.games.weighted import Compared, compared, less, share_won
from benchmarks.kept import Kept
from benchmarks.lines import Note, aligned, outcome_line
from benchmarks.options import kept, option
from bots.training.placing.numbered_layouts import (
    Doubles,
    Floats,
    Indices,
    Tilt,
    draw_layouts,
    features,
    masks_of,
    stored_tilt,
)
from bots.training.placing.shooters import PLAIN, SALVO, Shooter, play, shooter_for, worth
from salvo.bundled import bot_class

RULES = ("classic", "salvo")

SLOW = 6
"""Bots that take some tenths of a second a game play this many times fewer games."""

FIELD = {
    "uniform_random": 1,
    "hunt_target": 1,
    "hunt_parity": 1,
    "q_learning": SLOW,
    "probability_density": 1,
    "monte_carlo": SLOW,
    "posterior_greedy": 2,
    "posterior_parity": 2,
    "deep_salvo": SLOW,
    "value_search": SLOW,
}
"""The default field, and how many times fewer games each bot plays."""

DUELS = {"probability_density": 1, "posterior_parity": SLOW}

FEWEST = 4
"""Games of each kind that a bot plays at least."""

FAST = 40
"""Games that are played side by side, for each that a bot plays."""

POOL = 400
"""Layouts that a shooter compares with, for each game that a bot plays."""

LEARNED = (10, 100, 1000)
DOUBT = 20
"""Uniform layouts that a learner believes it has seen before the first."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    games: int = option(1000, "Layouts of each kind that fast bots play.", least=4)
    seed: int = option(31, "The seed of the layouts.", least=0)
    out: Path = kept("placement.jsonl")


class Kind(NamedTuple):
    """Layouts of one distribution."""

    numbers: Indices  # the layouts by number, (layouts, ships)
    odds: Doubles  # how many times likelier ours is to draw each, (layouts,)

    def masks(self, number: int) -> list[Layout]:
        """Return the first layouts in the order of the fleet."""
        return list(map(masks_of, self.numbers[:number]))


class Against(NamedTuple):
    """The layouts that are compared under one rule set."""

    rules: Rules
    shots: int  # the shots of a turn
    games: int  # layouts of each kind that a fast bot plays
    uniform: Kind  # layouts drawn uniformly
    ours: Kind  # layouts drawn by `place`
    tilt: Tilt  # the distribution of these
    kept: Kept  # what was found at them
    words: str  # what that depends on, but for the bot

    def odds(self, number: int) -> Doubles:
        """Return the odds of the first layouts of both kinds."""
        return np.concatenate([self.uniform.odds[:number], self.ours.odds[:number]])

    def found(self, words: str, play: Callable[[], list[float]]) -> list[float]:
        """Return what is kept by some words; what is not is played."""
        words = f"{self.words}, {words}"
        found = self.kept.get(words, list)
        if found is None:
            found = play()
            self.kept.keep(words, found)
        return found


def run(settings: Settings) -> Iterator[str]:
    """Yield for each rule set the field, shooters that adapt, and matches; and the outcome."""
    outcome: dict[str, object] = {"games": settings.games}
    for name in RULES:
        draws = np.random.default_rng([settings.seed, RULES.index(name)])
        against = _against(name, settings, draws)
        heads = ("uniform", "ours", "gain")
        field, gains = [], {}
        for shooter, fewer in FIELD.items():
            row = _alone(shooter, bot_class(shooter), against, fewer)
            field.append((shooter, *_cells(row)))
            gains[shooter] = f"{row.gain:+.2f}"
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
    yield outcome_line("placement", **outcome)


def _against(name: str, settings: Settings, draws: np.random.Generator) -> Against:
    tilt, games = stored_tilt(name), settings.games
    drawn = draw_layouts(FAST * games, draws), tilt.draw(FAST * games, draws)
    uniform, ours = (Kind(numbers, tilt.odds(features().of(numbers))) for numbers in drawn)
    shots, words = 1 if name == "classic" else SALVO, f"{name} {games} {settings.seed}"
    return Against(preset(name), shots, games, uniform, ours, tilt, Kept(settings.out), words)


def _cells(row: Compared) -> tuple[str, ...]:
    return f"{row.first:.2f}", f"{row.second:.2f}", f"{row.gain:+.2f}"


def _alone(name: str, make: Callable[[], Bot], against: Against, fewer: int) -> Compared:
    number = max(against.games // fewer, FEWEST)
    layouts = against.uniform.masks(number) + against.ours.masks(number)
    turns = against.found(name, lambda: [*turns_at(make(), against.rules, layouts)])
    return compared(turns, against.odds(number))


def _adapting(against: Against, draws: np.random.Generator) -> Iterator[tuple[str, Compared]]:
    """Yield the rows of shooters that know our layouts, or not, or have seen some."""
    tilt, ours, shots = against.tilt, against.ours.numbers, against.shots
    both = np.concatenate([against.uniform.numbers, ours])
    pool = draw_layouts(POOL * against.games, draws)
    odds = tilt.odds(features().of(pool))
    blind = shooter_for(pool, np.ones(len(pool)), compares=True)
    knowing = {
        "counts": [("knows ours", shooter_for(pool, odds, compares=False))],
        "compares": [("knows ours", shooter_for(pool, odds, compares=True))],
    }
    for seen in reversed(LEARNED):
        learner = Shooter(_learned(tilt.draw(seen, draws), pool))
        knowing["counts"].insert(0, (f"has seen {seen}", learner))
    for shooter, plain in (("counts", PLAIN), ("compares", blind)):
        sunk_in = play(both, plain, shots, draws)
        rows = [
            (shooter, worth(sunk_in, 1)),
            (f"{shooter}: owner's shots", worth(sunk_in, shots)),
        ]
        known = [(what, play(ours, one, shots, draws)) for what, one in knowing[shooter]]
        for number, (name, taken) in enumerate(rows if shots > 1 else rows[:1]):
            base = compared(taken, against.odds(len(ours)))
            yield name, base
            for what, sunk in known:
                cost = worth(sunk, shots) if number else sunk.max(axis=1)
                yield f"{name}, {what}", _knowing(base, estimate(cost))
    base = _alone("posterior", partial(Knowing, None), against, 1)
    yield "posterior", base
    layouts = against.ours.masks(2 * against.games)
    turns = against.found(
        "posterior that knows", lambda: [*turns_at(Knowing(tilt), against.rules, layouts)]
    )
    yield "posterior, knows ours", _knowing(base, estimate(turns))


def _knowing(base: Compared, ours: Estimate) -> Compared:
    """Return the row of a shooter that knows ours, beside one that expects every layout alike."""
    return Compared(base.first, ours, less(ours, base.first))


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
    for shooter, fewer in DUELS.items():
        pairs = max(against.games // fewer, FEWEST)
        # Of every two layouts, one is uniform and one is ours, in turn the first and the second.
        drawn = list(zip(against.uniform.masks(pairs), against.ours.masks(pairs), strict=True))
        odds = np.stack([against.uniform.odds[:pairs], against.ours.odds[:pairs]], axis=1)
        drawn[::2] = [(two, one) for one, two in drawn[::2]]
        odds[::2] = odds[::2, ::-1]
        pairing = partial(_each_won, shooter, against.rules, drawn)
        wins = against.found(f"{shooter} both", pairing)
        won = share_won(wins, odds[:, 0], odds[:, 1])
        yield shooter, (f"{won:.1%}", f"{2 * pairs:,} games")


def _side_by_side(against: Against, draws: np.random.Generator) -> tuple[str, str]:
    """Return the same for counting placements, one shot a turn: then both play as if alone."""
    ours, theirs = (
        play(kind.numbers, PLAIN, against.shots, draws).max(axis=1)
        for kind in (against.ours, against.uniform)
    )

    def later(than: Indices, turns: Indices) -> Estimate:
        """Return the share of turns that are later than each of some, equal ones half."""
        ordered = np.sort(turns)
        left, right = (np.searchsorted(ordered, than, side) for side in ("left", "right"))
        return estimate(1 - (left + right) / (2 * len(turns)))

    # Whoever sinks the other first wins: ours must take longer.
    won, lost = later(theirs, ours), later(ours, theirs)
    both = Estimate(won.value, float(np.hypot(won.half, lost.half)))
    return f"{both:.1%}", f"{len(ours):,} layouts of each"


def _each_won(bot: str, rules: Rules, drawn: list[tuple[Layout, Layout]]) -> list[float]:
    return [_won(bot, rules, layouts, number) for number, layouts in enumerate(drawn)]


def _won(bot: str, rules: Rules, layouts: tuple[Layout, Layout], number: int) -> float:
    """Return the share of two games, the seats swapped, that the first layout's owner wins."""
    bots = [bot_class(bot)() for _ in layouts]
    for one, layout in zip(bots, layouts, strict=True):
        vars(one)["place_fleet"] = partial(name_layout, rules, layout)
    score = 0.0
    for seat in (0, 1):
        seeds = 4 * number + 2 * seat, 4 * number + 2 * seat + 1
        game = play_bots(bots[::-1] if seat else bots, rules, seeds=seeds)
        assert game.forfeit is None, game.reason
        won = 0.5 if game.result == "draw" else game.result == ("second" if seat else "first")
        score += won / 2
    return score

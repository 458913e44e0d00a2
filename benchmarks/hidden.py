"""Measures what it is worth to expect a fleet that hides as the strong bots hide theirs.

Shooters play the same layouts of the classic game, drawn as `place` draws them, each game by a new
bot against an opponent that shoots at random. Shots are less luck: an answer is as likely as it is
among such layouts. Called again, the same command goes on.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from arena.bot import Bot
from arena.player import InProcessPlayer
from arena.replay import replay
from arena.rules import Layout, cells_of, preset, view
from benchmarks.exploits.victim import Victim, game_for_two
from benchmarks.games.estimates import estimate
from benchmarks.kept import Kept
from benchmarks.lines import Note, markdown, outcome_line
from benchmarks.options import kept, option, workers
from bots.posterior_greedy import PosteriorGreedy
from bots.tactics.placement.opponent import Opponent
from bots.tactics.posterior.board_placements import Floats, Indices
from bots.tactics.value.answer_luck import lucks
from bots.training.placing.numbered_layouts import FIRST, features, masks_of, stored_tilt
from bots.value_search import STEPS, ValueSearch
from salvo.cli.terminal.progress_bars import progress_bar
from salvo.reports.tables.luck_adjustment import answers_in

RULES = preset("classic")
TILT = stored_tilt("classic")

SEED = 31_341
SEEN = 60  # layouts; one tells a tenth of a nat


def _blind(_number: int) -> Bot:
    return ValueSearch([step for step in STEPS if step != "opponent"])


def _knowing(number: int) -> Bot:
    """Return one that has seen some layouts, others in each game."""
    opponent = Opponent.by_rules(view(RULES))
    assert opponent is not None
    for layout in _layouts(SEEN, [SEED, number]):
        opponent.saw([cells_of(ship) for ship in layout])
    return ValueSearch(opponent=opponent)


GREEDY = "`posterior_greedy`"
SHOOTERS: dict[str, Callable[[int], Bot]] = {
    GREEDY: lambda _number: PosteriorGreedy(),
    "`value_search` that expects every layout equally": _blind,
    "`value_search` in its first game": lambda _number: ValueSearch(),
    f"`value_search` that has seen {SEEN} such layouts": _knowing,
}
"""For each row of the table, what makes its bot anew, given the number of the game."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    layouts: int = option(250, "Layouts that each shooter plays.", least=2)
    workers: int = workers()
    out: Path = kept("hidden.jsonl")


def run(settings: Settings) -> Iterator[str]:
    """Yield a table of the shooters, and the outcome."""
    rows: list[tuple[object, ...]] = []
    found = {}
    kept_so_far, layouts = Kept(settings.out), _layouts(settings.layouts, [SEED])
    for shooter in SHOOTERS:
        yield Note(f"{settings.layouts} layouts for {shooter}")
        shots, luck = _played(shooter, layouts, kept_so_far, settings.workers).T
        adjusted = shots - luck
        found[shooter] = adjusted
        less = estimate(adjusted - found[GREEDY])
        gained = "" if shooter == GREEDY else f"{less:+.3f}"
        rows.append((shooter, estimate(shots), estimate(adjusted), gained))
    yield markdown(rows, ("classic, hidden: shooter", "shots", "adjusted", "less the first"))
    means = {shooter: round(float(adjusted.mean()), 3) for shooter, adjusted in found.items()}
    yield outcome_line("hidden", layouts=settings.layouts, adjusted=means)


def _played(shooter: str, layouts: Sequence[Layout], found: Kept, workers: int) -> Floats:
    """Return the shots and the luck at each layout; what is not kept is played."""
    names = [f"hidden {SEED}, {shooter}, {number}" for number in range(len(layouts))]
    missing = [number for number, name in enumerate(names) if found.get(name, list) is None]
    with ProcessPoolExecutor(workers) as pool:
        results = pool.map(partial(_play, shooter), missing, [layouts[one] for one in missing])
        shown = progress_bar(results, len(missing), "games")
        for number, result in zip(missing, shown, strict=True):
            found.keep(names[number], result)
    return np.array([found.get(name, list) for name in names])


def _play(shooter: str, number: int, layout: Layout) -> tuple[int, float]:
    """Return how many shots a new shooter takes at a layout, and the luck in them."""
    bot = partial(SHOOTERS[shooter], number)
    victim = Victim(shooter, "", partial(InProcessPlayer, bot, view(RULES)))
    game = game_for_two(victim, RULES, layout, number)
    salvos = [
        state.salvo
        for state in replay(game, RULES)
        if state.salvo is not None and state.salvo.by == "first"
    ]
    told = answers_in(RULES, salvos, f"hidden {number}".encode(), _odds)
    assert told is not None
    return len(salvos), float(lucks(*told).sum())


def _layouts(number: int, seed: list[int]) -> list[Layout]:
    """Draw layouts as `place` does."""
    return list(map(masks_of, TILT.draw(number, np.random.default_rng(seed))))


def _odds(lengths: Sequence[int], places: Indices) -> Floats:
    first = np.array([FIRST[length] for length in lengths])
    return TILT.odds(features().of(places.T + first))

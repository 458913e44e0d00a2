"""Solo games for a benchmark, not recorded: on drawn layouts, or on every layout."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from arena.bot import Bot
from arena.records import Termination
from arena.referee import play_bots
from arena.rules import FIRST_FEATURES, Layout, Rules, placements, refuse_unknown
from arena.rules.rule_features import TOUCHING
from arena.seeds import DEFAULT_SEED
from benchmarks.games.contests import games_alone
from salvo.reports.work_progress import Progress, no_progress


@dataclass
class Sample:
    """What one bot did alone, game by game.

    Attributes:
        turns: Turns of each game.
        shots: Shots of each game.
        hits: Shots that hit, of all games.
        capped: How many games were ended by the cap on shots.
    """

    turns: list[int] = field(default_factory=list)
    shots: list[int] = field(default_factory=list)
    hits: int = 0
    capped: int = 0


def play_alone(
    bots: Sequence[str],
    rules: Rules,
    layouts: int,
    workers: int,
    *,
    progress: Progress = no_progress,
) -> dict[str, Sample]:
    """Return what each bot did alone; see ``games_alone``."""
    samples: defaultdict[str, Sample] = defaultdict(Sample)
    for game in games_alone(bots, rules, layouts, DEFAULT_SEED, workers, progress=progress):
        sample = samples[game.fixture.first]
        sample.turns.append(game.tallies[0].turns)
        sample.shots.append(game.tallies[0].shots)
        sample.hits += game.tallies[0].hits
        sample.capped += game.termination is Termination.CAPPED
    return dict(samples)


def turns_over_every_layout(bot: Bot, rules: Rules) -> Counter[int]:
    """Return how many layouts take a bot each number of turns, played in this process."""
    return Counter(turns_at(bot, rules, every_layout(rules)))


def turns_at(bot: Bot, rules: Rules, layouts: Iterable[Layout]) -> list[int]:
    """Return how many turns a bot takes on each of some layouts, played in this process."""
    turns = []
    for layout in layouts:
        game = play_bots([bot], rules, layout=layout)
        assert game.forfeit is None, game.reason
        turns.append(game.tallies[0].turns)
    return turns


def every_layout(rules: Rules) -> list[Layout]:
    """Return every layout of ships that may touch."""
    refuse_unknown(rules, FIRST_FEATURES - TOUCHING, "the list of all layouts")
    places = [placements(rules.rows, rules.columns, ship.length) for ship in rules.fleet]
    return [
        layout
        for layout in itertools.product(*places)
        if sum(layout).bit_count() == sum(mask.bit_count() for mask in layout)
    ]

"""Sets every published number about the sources' players beside ours.

Ours carries a 95% interval; an exact value is computed. "agrees" says whether chance explains the
difference, given how many games they played.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from msgspec.structs import replace
from tabulate import tabulate

from arena.records import Termination
from arena.rules import Rules, preset
from arena.seeds import DEFAULT_SEED
from benchmarks.compared.published import NORMAL, Published, quantile_limits
from benchmarks.games.distributions import deviation, mean, optimistic_floor, random_turns_of, until
from benchmarks.games.estimates import Estimate, estimate
from benchmarks.games.solo_games import SoloGames, turns_over_every_layout
from benchmarks.lines import outcome_line
from benchmarks.options import option, workers
from salvo.bundled import bot_class

WIKI_GAMES = 50
RAMESH_GAMES = 500
HUNT_SCORE = 275.65
OURS_BEFORE_GAMES = 1000
OUTLYING = 3
"""A mean that is this many standard errors off needs an explanation."""

LEVELS = ("hard", "medium", "easy")


@dataclass
class _Sample:
    """The turns and shots of each game of a bot, and of all games the hits and those capped."""

    turns: list[int] = field(default_factory=list)
    shots: list[int] = field(default_factory=list)
    hits: int = 0
    capped: int = 0


@dataclass(frozen=True)
class Settings:
    """The options."""

    layouts: int = option(1000, "Layouts that each bot shoots at.", least=20)
    workers: int = workers()

    def play(self, bots: Sequence[str], rules: Rules) -> dict[str, _Sample]:
        """Let bots shoot alone."""
        samples: defaultdict[str, _Sample] = defaultdict(_Sample)
        for game in SoloGames(bots, rules, self.layouts, DEFAULT_SEED, self.workers).play():
            sample = samples[game.fixture.first]
            sample.turns.append(game.tallies[0].turns)
            sample.shots.append(game.tallies[0].shots)
            sample.hits += game.tallies[0].hits
            sample.capped += game.termination is Termination.CAPPED
        return dict(samples)


def run(settings: Settings) -> Iterator[str]:
    """Yield a table for each source with its notes, and the outcome."""
    numbers: list[Published] = []
    for title, make in (
        ("A. Rochford, Playing Battleship with Bayesian search theory", _rochford),
        ("J. Ebel and K. Wan, AI learning agent for the game of Battleship", _ebel_and_wan),
        ('"Battleships: AI", wiki of zrho/afp', _wiki),
        ("A. Ramesh, deep RL for Battleship Salvo: random players", _ramesh),
    ):
        made = make(settings)
        yield from _table(title, made)
        numbers += made
    judged = [number for number in numbers if number.agrees is not None]
    agreeing = [number for number in judged if number.agrees]
    yield outcome_line(
        "sources",
        ratio=round(len(agreeing) / len(judged), 3),
        numbers=len(judged),
        agree=len(agreeing),
        differ=[number.what for number in judged if not number.agrees],
        unexplained=[number.what for number in judged if not number.agrees and not number.note],
        layouts=settings.layouts,
    )


def _table(title: str, numbers: Sequence[Published]) -> Iterator[str]:
    """Yield the table of one source, and under it each note with the rows it is about."""
    headers = ["", "theirs", "ours", "exact", "agrees"]
    rows = [number.cells() for number in numbers]
    yield f"{title}\n"
    align = ("left", "right", "right", "right", "left")
    yield str(tabulate(rows, headers, disable_numparse=True, colalign=align))
    notes: dict[str, list[str]] = {}
    for number in numbers:
        notes.setdefault(number.note, []).append(number.what)
    for note, names in notes.items():
        if note:
            yield f"\n{'; '.join(names)}: {note}"
    yield ""


def _rochford(settings: Settings) -> list[Published]:
    """Return the numbers of the negative hypergeometric distribution, of rows and of the square."""
    rules = preset("classic")
    turns = until(17, 17, 100)
    played = settings.play(["uniform_random"], rules)["uniform_random"]
    lengths = [ship.length for ship in rules.fleet]
    return [
        Published(
            "random, mean turns", "95.39", estimate(played.turns), float(mean(turns)), games=0
        ),
        *_floors(lengths),
        _over_every_layout("optimal row, 5/3", "optimal_row", "row-5-3", "3.6667"),
        _over_every_layout("optimal row, 10/3", "optimal_row", "row-10-3", "4.5"),
        _over_every_layout("enumeration, 10/3", "thompson_enumeration", "row-10-3", "4.5"),
        _over_every_layout("grid search, 5x5/3", "diagonal_search", "square-5-3"),
        _over_every_layout("enumeration, 5x5/3", "thompson_enumeration", "square-5-3"),
    ]


def _floors(lengths: Sequence[int]) -> list[Published]:
    """Return the two floors, as his program has them and by what he assumes."""
    numbers = []
    for name, theirs, misses in (
        ("extremely optimistic floor", "40.18", Fraction(0)),
        ("optimistic floor", "42.68", Fraction(1, 2)),
    ):
        programmed, assumed = (
            float(optimistic_floor(lengths, 50, misses, shifted=shifted))
            for shifted in (True, False)
        )
        note = (
            "his program begins the distribution of the search at the 10 ship cells that the "
            "checkerboard holds, not at the 5 hits it waits for, which adds 5 turns."
        )
        if misses:
            note += (
                " It also counts half a miss a ship where he writes one and a half; with one "
                f"and a half and the right distribution it is {assumed + len(lengths):.4f} again."
            )
        numbers += [
            Published(f"{name}, as programmed", theirs, exact=programmed, games=0),
            Published(f"{name}, as assumed", exact=assumed, note=note),
        ]
    return numbers


def _over_every_layout(what: str, bot: str, rules: str, theirs: str | None = None) -> Published:
    counts = turns_over_every_layout(bot_class(bot)(), preset(rules))
    layouts = counts.total()
    exact = sum(turns * number for turns, number in counts.items()) / layouts
    shares = ", ".join(f"{turns}: {number}" for turns, number in sorted(counts.items()))
    note = f"layouts by the turns they take, of {layouts}: {shares}."
    if theirs is None:
        note += " He draws the distribution, and prints no mean."
    return Published(f"{what}, mean turns", theirs, exact=exact, games=0, note=note)


def _ebel_and_wan(settings: Settings) -> list[Published]:
    """Return the moves and scores of their table."""
    rules = preset("unknown")
    value = sum(20 * ship.length for ship in rules.fleet)
    played = settings.play(["uniform_random", "hunt_target"], rules)
    told = settings.play(["hunt_target"], preset("classic"))["hunt_target"]
    turns = until(17, 17, 100)
    spread = deviation(turns)
    score = (
        "the score that reproduces theirs is the share of each ship that was hit times its worth, "
        f"20 a cell, less the moves. All ships get sunk, so it is {value} less the moves."
    )
    random, hunt = (estimate(played[name].shots) for name in ("uniform_random", "hunt_target"))
    forgetting = estimate(told.shots)
    off = abs(hunt.value - (value - HUNT_SCORE))
    chance = (NORMAL * hunt.deviation / off) ** 2
    between = (
        f"theirs is {value - HUNT_SCORE:.2f} moves, between ours without reports of sinkings "
        f"({hunt.value:.1f}) and ours with them ({forgetting.value:.1f}), which forgets those "
        "hits. What theirs does with them, and in how many games, is not published: chance alone "
        f"explains the difference in up to {chance:.0f}."
    )
    hit_rates = "; ".join(
        f"{name} {sample.hits / sum(sample.shots):.3f}" for name, sample in played.items()
    )
    return [
        Published("random, moves", "95", random, float(mean(turns)), spread, note=score),
        Published(
            "random, score", "244.59", _less(value, random), value - float(mean(turns)), spread
        ),
        Published("hunt and target, moves", "64", hunt, note=between),
        Published("hunt and target, score", str(HUNT_SCORE), _less(value, hunt), note=between),
        Published(
            "hunt and target in the classic game, moves",
            ours=forgetting,
            note="63 to 65 are published elsewhere for one that goes on around ships it has sunk.",
        ),
        Published("hits a shot", note=f"{hit_rates}."),
    ]


def _less(value: int, moves: Estimate) -> Estimate:
    return Estimate(value - moves.value, moves.half, moves.deviation)


def _wiki(settings: Settings) -> list[Published]:
    """Return the benchmark of the CleverAI, where ships stay and where they move."""
    bots = [f"{level}=clever --difficulty {level}" for level in LEVELS]
    stay = preset("afp-immovable")
    strict = settings.play(bots, stay)
    numbers = _benchmark(
        "ships stay",
        settings.play(bots, replace(stay, reshoot=True)),
        ("48.69", "57.39", "69.39"),
        ("49.36", ("41", "46.25", "50", "52", "59")),
    )
    noise = (
        "its noise lets it shoot cells again that were shot, as the wiki's game allows; the "
        "preset does not."
    )
    for level in LEVELS:
        what, ours = f"ships stay, {level}, no cell twice", estimate(strict[level].shots)
        numbers.append(Published(what, ours=ours, note="" if level == "hard" else noise))
    return numbers + _benchmark(
        "ships move",
        settings.play(bots, preset("afp")),
        ("60.23", "72.41", "76.20"),
        ("62.2", ("43", "51.25", "55", "59.75", "160")),
    )


def _benchmark(
    mode: str,
    played: dict[str, _Sample],
    before: tuple[str, str, str],
    published: tuple[str, tuple[str, ...]],
) -> list[Published]:
    """Return the wiki's mean and quantiles, and the means of another implementation."""
    hard = played["hard"].shots
    wikis, quantiles = published
    numbers = [Published(f"{mode}, hard, mean shots", wikis, estimate(hard), games=WIKI_GAMES)]
    for share, name, value in zip(
        (0, 0.25, 0.5, 0.75, 1), ("least", "quartile", "median", "quartile 3", "most"), quantiles,
        strict=True,
    ):  # fmt: skip
        limits = quantile_limits(hard, share, WIKI_GAMES)
        numbers.append(Published(f"{mode}, hard, {name} of {WIKI_GAMES}", value, limits=limits))
    for level, mean_shots in zip(LEVELS, before, strict=True):
        capped = played[level].capped
        what, ours = f"{mode}, {level}, another implementation", estimate(played[level].shots)
        note = f"{capped} games were capped." if capped else ""
        numbers.append(Published(what, mean_shots, ours, games=OURS_BEFORE_GAMES, note=note))
    return numbers


def _ramesh(settings: Settings) -> list[Published]:
    """Return the random players of the five cases."""
    numbers = []
    for number, theirs in enumerate(("13.7", "22.1", "6.2", "6.7", "7.4"), start=1):
        rules = preset(f"ramesh-{number}")
        turns = random_turns_of(rules)
        played = settings.play(["uniform_random"], rules)["uniform_random"]
        exact, spread = float(mean(turns)), deviation(turns)
        note = ""
        off = (float(theirs) - exact) / (spread / math.sqrt(RAMESH_GAMES))
        if abs(off) > OUTLYING:
            note = (
                f"{off:+.1f} standard errors of {RAMESH_GAMES} games off the exact one for salvos "
                f"of {rules.shots} untried cells, where layouts play no part: his random player "
                "shot differently, or the number is not the mean of so many games."
            )
        what, ours = f"case {number}, random, mean moves", estimate(played.turns)
        numbers.append(Published(what, theirs, ours, exact, spread, RAMESH_GAMES, note=note))
    return numbers

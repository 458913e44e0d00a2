"""Measures the bots that learned, beside what was published and what is optimal."""

import time
from collections.abc import Iterator
from random import Random

from arena.bot import Bot
from arena.rules import Rules, Ship, draw, preset
from benchmarks.compared.deep import COMPARED, Extent, deep_cost, deep_strength, gap
from benchmarks.compared.small_games import AIM, AIMED, case_5, the_five_cases, the_row
from benchmarks.compared.targets import Target, target_table
from benchmarks.costs.batch import batch_speeds
from benchmarks.games.alone import turns_at
from benchmarks.games.distributions import deviation, mean, random_turns
from benchmarks.games.estimates import Estimate, estimate
from benchmarks.lines import Note, aligned, outcome_line
from bots.hunt_target import HuntTarget
from bots.q_learning.bot import QLearning
from bots.training import q_learning, ramesh

SPEED_RULES = Rules(
    name="5x5 with two shots",
    rows=5,
    columns=5,
    fleet=(Ship("Ship of 4", 4), Ship("Ship of 2", 2)),
    shots=2,
    sinkings="silent",
)
SPEED_GAMES = 10_000
MOST_TRAINING_S = 60
LEAST_SHOTS_PER_S = 1_000_000
MOST_MOVES = 64


def learning(extent: Extent, *, games: int, shots: int) -> Iterator[str]:
    """Play the learned bots, and train again what is compared.

    Args:
        extent: How much the players of large boards play.
        games: Games of each training.
        shots: Shots of the batched environment that are timed.

    Yields:
        The tables, what they show, and the outcome.
    """
    targets: list[Target] = []
    ratios: dict[str, float] = {}
    found: dict[str, object] = {}
    # First: what lacks the extra is refused before anything takes minutes.
    yield from _speed(games, shots, found, targets)
    yield from the_five_cases(ratios, targets)
    yield from case_5(games, targets)
    yield from the_row(targets)
    yield from _q_learning(min(extent.layouts, COMPARED), games, found, targets)
    yield from deep_strength(extent, found, targets)
    yield from deep_cost(found, targets)
    yield from gap(games, found)
    yield target_table(targets)
    outcome = {
        "benchmark": "learning",
        "ratio": round(max(ratios[name] for name in AIMED), 4),
        "aim": AIM,
        "met": sum(target.met for target in targets),
        "targets": len(targets),
        "to_optimum": {name: round(ratio, 4) for name, ratio in ratios.items()},
        **found,
    }
    yield outcome_line(outcome)


def _q_learning(
    layouts: int, games: int, found: dict[str, object], targets: list[Target]
) -> Iterator[str]:
    """Yield Ebel and Wan's table; fill in the mean moves of our bots, and the target."""
    unknown = preset("unknown")
    chance = random_turns(100, 17, 1)
    rows = [["random", "95", _exact(float(mean(chance)), deviation(chance))]]
    yield Note("unknown fleet: hunting and targeting")
    rows.append(["hunt and target", "64", _told(_played(HuntTarget(), unknown, layouts))])
    yield Note("unknown fleet: training the memory")
    by_heart = _by_heart(max(games // 20, 20))
    rows.append(["Q-learning by heart, while it learns", "90", _told(by_heart)])
    yield Note("unknown fleet: `q_learning`")
    ours = _played(QLearning(), unknown, layouts)
    rows.append(["`q_learning`, features", "", _told(ours)])
    rows.append(["a human", "56", ""])
    for side in (8, 12):
        other = Rules(
            name=f"{side} x {side}",
            rows=side,
            columns=side,
            fleet=unknown.fleet,
            fleet_known=False,
            sinkings="silent",
        )
        at_random = float(mean(random_turns(side**2, 17, 1)))
        played = _played(QLearning(), other, max(layouts // 4, 2))
        rows.append([f"the same on {side} x {side} (random {at_random:.1f})", "", _told(played)])
    yield aligned(rows, ["standard fleet, unknown", "theirs", "ours"])
    yield (
        f"\nMean moves with 95% intervals, {layouts} layouts. States that are known by heart are "
        "hardly ever met again on fresh layouts. What takes 90 moves in place of the 95 of random "
        "shots is how their program settles equal values, all 0: by the last action. It sweeps "
        "the board row by row, and since the cells of a ship lie side by side the last one comes "
        "sooner.\n"
    )
    found["q_learning"] = round(ours.value, 2)
    found["by_heart"] = round(by_heart.value, 2)
    met = ours.value <= MOST_MOVES
    targets.append(
        Target("`q_learning`, unknown fleet, mean moves", f"{MOST_MOVES}", _told(ours), met)
    )


def _by_heart(games: int) -> Estimate:
    trainer = q_learning.Trainer(q_learning.Settings(features="identity", games=games))
    turns: list[int] = []
    while len(turns) < games:
        turns += trainer.learn()
    return estimate([float(count) for count in turns])


def _played(bot: Bot, rules: Rules, layouts: int) -> Estimate:
    """Return the mean turns of a bot against layouts drawn by the seeds 0, 1, 2 and so on."""
    drawn = [draw(rules, Random(seed)) for seed in range(layouts)]
    return estimate([float(count) for count in turns_at(bot, rules, drawn)])


def _speed(
    games: int, shots: int, found: dict[str, object], targets: list[Target]
) -> Iterator[str]:
    """Yield how long training takes, and how fast the batched environment is."""
    yield Note("random shots in the batched environment")
    batched, bare = batch_speeds(preset("classic"), shots)
    yield (
        f"Random shots a second on one core, classic, 4,096 boards: {batched:,.0f} through the "
        f"environment, {bare:,.0f} in bare numpy: {batched / bare:.2f} of it."
    )
    yield Note("training on 5x5 with two shots")
    trainer = ramesh.Trainer(ramesh.Settings(games=games), rules=SPEED_RULES)
    started, used = time.monotonic(), time.process_time()
    played = 0
    while played < games:
        played += len(trainer.learn())
    seconds, processor = time.monotonic() - started, time.process_time() - used
    yield (
        f"Training {played:,} games on 5x5 with two shots: {seconds:.1f} s, {processor:.1f} s of a "
        f"core (the source: about 30 minutes for {SPEED_GAMES:,}).\n"
    )
    found["training_s"] = round(processor, 1)
    found["shots_per_s"] = round(batched)
    found["share_of_bare"] = round(batched / bare, 3)
    targets += [
        Target(
            f"training {played:,} games on 5x5 with two shots",
            f"{MOST_TRAINING_S} s",
            f"{processor:.1f} s of a core",
            processor <= MOST_TRAINING_S,
        ),
        Target(
            "batched environment, random shots a second on one core",
            f"{LEAST_SHOTS_PER_S:,}",
            f"{batched:,.0f}",
            batched >= LEAST_SHOTS_PER_S,
        ),
    ]


def _told(found: Estimate) -> str:
    return f"{found.value:.2f} ± {found.half:.2f}"


def _exact(value: float, spread: float) -> str:
    return f"{value:.2f} (a game ± {spread:.1f})"

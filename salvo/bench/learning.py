"""`salvo bench learning`: the bots that learned, beside what was published and what is optimal."""

import time
from collections.abc import Iterator
from random import Random

from arena.bot import Bot
from arena.rules import Rules, Ship, draw, preset
from bots.hunt_target import HuntTarget
from bots.q_learning.bot import QLearning
from bots.training import q_learning, ramesh
from salvo.bench.alone import turns_at
from salvo.bench.batch import batch_speeds
from salvo.bench.deep import deep_cost, deep_strength, gap
from salvo.bench.distributions import deviation, mean, random_turns
from salvo.bench.estimates import Estimate, estimate
from salvo.bench.lines import Note, aligned, outcome_line
from salvo.bench.small_games import AIM, AIMED, case_5, the_five_cases, the_row

__all__ = ["learning"]

SPEED_RULES = Rules(
    name="5x5 with two shots",
    rows=5,
    columns=5,
    fleet=(Ship("Ship of 4", 4), Ship("Ship of 2", 2)),
    shots=2,
    sinkings="silent",
)
SPEED_GAMES = 10_000


def learning(*, layouts: int, games: int, shots: int, workers: int) -> Iterator[str]:
    """Play the learned bots, and train again what is compared.

    Args:
        layouts: Layouts on which the players of large boards are measured.
        games: Games of each training.
        shots: Shots of the batched environment that are timed.
        workers: Blocks of games played in parallel.

    Yields:
        The tables, what they show, and the outcome.
    """
    ratios: dict[str, float] = {}
    yield from the_five_cases(ratios)
    yield from case_5(games)
    yield from the_row()
    moves: dict[str, float] = {}
    yield from _q_learning(layouts, games, moves)
    speed: dict[str, float] = {}
    yield from _speed(games, shots, speed)
    deep: dict[str, object] = {}
    yield from deep_strength(layouts, workers, deep)
    yield from deep_cost(deep)
    yield from gap(games, deep)
    outcome = {
        "benchmark": "learning",
        "ratio": round(max(ratios[name] for name in AIMED), 4),
        "aim": AIM,
        "to_optimum": {name: round(ratio, 4) for name, ratio in ratios.items()},
        **moves,
        **speed,
        **deep,
    }
    yield outcome_line(outcome)


def _q_learning(layouts: int, games: int, moves: dict[str, float]) -> Iterator[str]:
    """Yield Ebel and Wan's table; fill in the mean moves of our bots."""
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
    moves["q_learning"] = round(ours.value, 2)
    moves["by_heart"] = round(by_heart.value, 2)


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


def _speed(games: int, shots: int, speed: dict[str, float]) -> Iterator[str]:
    """Yield how long training takes, and how fast the batched environment is."""
    yield Note("training on 5x5 with two shots")
    trainer = ramesh.Trainer(ramesh.Settings(games=games), rules=SPEED_RULES)
    started, used = time.monotonic(), time.process_time()
    played = 0
    while played < games:
        played += len(trainer.learn())
    seconds, processor = time.monotonic() - started, time.process_time() - used
    yield (
        f"Training {played:,} games on 5x5 with two shots: {seconds:.1f} s, {processor:.1f} s of a "
        f"core (the source: about 30 minutes for {SPEED_GAMES:,})."
    )
    yield Note("random shots in the batched environment")
    batched, bare = batch_speeds(preset("classic"), shots)
    yield (
        f"Random shots a second on one core, classic, 4,096 boards: {batched:,.0f} through the "
        f"environment, {bare:,.0f} in bare numpy: {batched / bare:.2f} of it.\n"
    )
    speed["training_s"] = round(processor, 1)
    speed["shots_per_s"] = round(batched)
    speed["share_of_bare"] = round(batched / bare, 3)


def _told(found: Estimate) -> str:
    return f"{found.value:.2f} ± {found.half:.2f}"


def _exact(value: float, spread: float) -> str:
    return f"{value:.2f} (a game ± {spread:.1f})"

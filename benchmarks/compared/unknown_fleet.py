"""Compares Q-learning of an unknown fleet with Ebel and Wan's, by several seeds."""

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from arena.bot import Bot
from arena.rules import Rules, draw, preset
from benchmarks.compared.trainings import Seeds, Trainings
from benchmarks.games.distributions import deviation, mean, random_turns
from benchmarks.games.estimates import Estimate, estimate
from benchmarks.games.solo_games import turns_at
from benchmarks.lines import Findings, Note, aligned
from bots.hunt_target import HuntTarget
from bots.q_learning.bot import QLearning

MOST_MOVES = 64
CELLS = 17  # of the standard fleet
HEART_SHARE = 2
"""By heart it is trained for half the games of the features, as nothing more is learned."""

UNKNOWN = preset("unknown")
OTHERS = [replace(UNKNOWN, name=f"{side} x {side}", rows=side, columns=side) for side in (8, 12)]


def unknown_fleet(layouts: int, trainings: Trainings, findings: Findings) -> Iterator[str]:
    """Yield the table; add the mean moves of our bots, and the target."""
    chance = random_turns(UNKNOWN.cells, CELLS, 1)
    exact = f"{float(mean(chance)):.2f} (a game ± {deviation(chance):.1f})"
    rows = [["random", "95", exact, ""]]
    yield Note("unknown fleet: hunting and targeting")
    rows.append(["hunt and target", "64", f"{_played(HuntTarget(), UNKNOWN, layouts):.2f}", ""])
    by_heart, bots = [], []
    for seed in range(1, trainings.seeds + 1):
        yield Note(f"unknown fleet: training by seed {seed}")
        heart = trainings.trained("q_learning", seed, HEART_SHARE, features="identity")
        by_heart.append(estimate(heart.turns).value)
        bots.append(QLearning())
        bots[-1].arrays = dict(trainings.trained("q_learning", seed).agent.weights()[1])
    heart_means, means = Seeds(by_heart), []
    what = "Q-learning by heart, while it learns"
    rows.append([what, "90", str(heart_means), heart_means.span])
    for rules in (UNKNOWN, *OTHERS):
        yield Note(f"unknown fleet: `q_learning` on {rules.name}")
        number = layouts if rules is UNKNOWN else max(layouts // 4, 2)
        means.append(Seeds([_played(bot, rules, number).value for bot in bots]))
        at_random = float(mean(random_turns(rules.cells, CELLS, 1)))
        what = f"the same on {rules.name} (random {at_random:.1f})"
        label = "`q_learning`, features" if rules is UNKNOWN else what
        rows.append([label, "", str(means[-1]), means[-1].span])
    bundled = QLearning()
    alone = _played(bundled, UNKNOWN, layouts)
    rows.append([f"as it is bundled (seed {bundled.origin.seed})", "", f"{alone:.2f}", ""])
    rows.append(["a human", "56", "", ""])
    yield aligned(rows, ["standard fleet, unknown", "theirs", "ours", "by seed"])
    yield _remarks(layouts, trainings.seeds)
    findings.numbers |= {
        "q_learning": round(means[0].mean, 2),
        "by_heart": round(heart_means.mean, 2),
    }
    what = f"`q_learning`, mean of {trainings.seeds} seeds, unknown fleet, mean moves"
    findings.add(what, MOST_MOVES, str(means[0]), met=means[0].mean <= MOST_MOVES)


def _remarks(layouts: int, seeds: int) -> str:
    return (
        f"\nMean moves over {layouts} common layouts, a quarter of them on other boards. Of what "
        f"is trained: the mean of {seeds} seeds with its 95% interval, and the least and the "
        "greatest; of the others the interval is that over layouts. States that are known by heart "
        "are hardly ever met again on fresh layouts. What takes 90 moves in place of the 95 of "
        "random shots is how their program settles equal values, all 0: by the last action. It "
        "sweeps the board row by row, and since the cells of a ship lie side by side the last one "
        "comes sooner.\n"
    )


def _played(bot: Bot, rules: Rules, layouts: int) -> Estimate:
    """Return the mean turns of a bot against layouts drawn by the seeds 0, 1, 2 and so on."""
    return estimate(turns_at(bot, rules, (draw(rules, Random(seed)) for seed in range(layouts))))

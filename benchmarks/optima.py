"""Measures how far from perfect the sources' players of small games are."""

from collections.abc import Iterator

from tabulate import tabulate

from arena.bot import Bot
from arena.rules import Rules, preset, view
from benchmarks.games.alone import turns_over_every_layout
from benchmarks.games.distributions import mean, random_turns
from benchmarks.lines import outcome_line
from bots.diagonal_search import DiagonalSearch
from bots.optimal import Optimal
from bots.optimal_row import OptimalRow
from bots.tactics.solver.policy import solve
from bots.tactics.solver.small_game import game_of
from bots.tactics.solver.solved_game import find_policy
from bots.tactics.solver.work import Work

LARGE = "ramesh-2"
"""The game whose optimum is searched for again only on request."""

AGENTS: dict[str, float | type[Bot]] = {
    "row-5-3": OptimalRow,
    "row-10-3": OptimalRow,
    "square-5-3": DiagonalSearch,
    "ramesh-1": 6.3,
    LARGE: 17.9,
    "ramesh-3": 4.6,
    "ramesh-4": 4.9,
    "ramesh-5": 7.1,
}
"""The player of each game's source: its mean turns as published, or what it does, as a bot."""


def optima(*, everything: bool) -> Iterator[str]:
    """Search for the least mean turns of each small game, and play it over every layout.

    Args:
        everything: Whether to search for the optimum of ``LARGE`` too, which takes long.

    Yields:
        The table, what it shows, and the outcome.
    """
    rows = [_row(name, search=everything or name != LARGE) for name in AGENTS]
    headers = ["game", "layouts", "optimum", "found", "`optimal`", "source's", "random"]
    align = ("left",) + ("right",) * 6
    yield str(tabulate(rows, headers, disable_numparse=True, colalign=align))
    yield (
        f"\nMean turns. The optimum is searched for here, except that of {LARGE}, which is read "
        "from the bot's own table unless --all is given. `optimal` and the rows' and the square's "
        "own players are played over every layout, the others are as published, random is exact."
    )
    worst = max(float(played) / float(optimum) for _, _, optimum, _, played, *_ in rows)
    outcome = {
        "benchmark": "optima",
        "ratio": round(worst, 4),
        "optima": {name: float(optimum) for name, _, optimum, *_ in rows},
    }
    yield outcome_line(outcome)


def _row(name: str, *, search: bool) -> list[str]:
    rules = preset(name)
    game = game_of(view(rules))
    assert game is not None
    work = Work()
    policy = solve(game, work) if search else find_policy(view(rules))
    assert policy is not None
    assert isinstance(rules.shots, int)
    agent = AGENTS[name]
    theirs = agent if isinstance(agent, float) else _mean_turns(agent(), rules)
    random = float(mean(random_turns(rules.cells, game.ship_cells, rules.shots)))
    return [
        name,
        str(len(game.layouts)),
        f"{policy.mean_turns:.4f}",
        f"in {work.done:,} looks" if search else "in the table",
        f"{_mean_turns(Optimal(), rules):.4f}",
        f"{theirs:.4f}" if not isinstance(agent, float) else str(agent),
        f"{random:.4f}",
    ]


def _mean_turns(bot: Bot, rules: Rules) -> float:
    counts = turns_over_every_layout(bot, rules)
    return sum(turns * number for turns, number in counts.items()) / counts.total()

"""Searches for the least mean turns of each small game, and plays it over every layout."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.rules import Rules, preset, view
from benchmarks.games.distributions import mean, random_turns_of
from benchmarks.games.solo_games import mean_over_every_layout
from benchmarks.lines import aligned, outcome_line
from benchmarks.options import option
from bots.tactics.solver.policy import solve
from bots.tactics.solver.small_game import Work, game_of
from bots.tactics.solver.solved_game import find_policy
from salvo.bundled import bot_class

LARGE = "ramesh-2"
"""The game whose optimum is searched for again only on request."""

AGENTS: dict[str, float | str] = {
    "row-5-3": "optimal_row",
    "row-10-3": "optimal_row",
    "square-5-3": "diagonal_search",
    "ramesh-1": 6.3,
    LARGE: 17.9,
    "ramesh-3": 4.6,
    "ramesh-4": 4.9,
    "ramesh-5": 7.1,
}
"""The player of each game's source: its mean turns as published, or its play, as a bot."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    all: bool = option(
        default=False, about=f"Search for the optimum of {LARGE} too, which takes long."
    )


def run(settings: Settings) -> Iterator[str]:
    """Yield the table, what it shows, and the outcome."""
    rows = [_row(name, search=settings.all or name != LARGE) for name in AGENTS]
    yield aligned(rows, ["game", "layouts", "optimum", "found", "`optimal`", "source's", "random"])
    yield (
        f"\nMean turns. The optimum is searched for here, except that of {LARGE}, which is read "
        "from the bot's own table unless --all is given. `optimal` and the rows' and the square's "
        "own players are played over every layout, the others are as published, random is exact."
    )
    worst = max(float(played) / float(optimum) for _, _, optimum, _, played, *_ in rows)
    yield outcome_line(
        "optima",
        ratio=round(worst, 4),
        optima={name: float(optimum) for name, _, optimum, *_ in rows},
    )


def _row(name: str, *, search: bool) -> list[str]:
    rules = preset(name)
    game = game_of(view(rules))
    assert game is not None
    work = Work()
    policy = solve(game, work) if search else find_policy(view(rules))
    assert policy is not None
    agent = AGENTS[name]
    return [
        name,
        str(len(game.layouts)),
        f"{policy.mean_turns:.4f}",
        f"in {work.done:,} looks" if search else "in the table",
        _mean("optimal", rules),
        _mean(agent, rules) if isinstance(agent, str) else str(agent),
        f"{float(mean(random_turns_of(rules))):.4f}",
    ]


def _mean(bot: str, rules: Rules) -> str:
    return f"{mean_over_every_layout(bot_class(bot)(), rules):.4f}"

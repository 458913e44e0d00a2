"""Where one bot stands among the others, and how sure that is, in a few sentences."""

import math

from leaderboards import Ratings, verdict
from leaderboards.cells import interval, number

__all__ = ["describe_chance", "describe_match", "describe_rank", "likelihoods", "neighbours"]


def describe_rank(ratings: Ratings, name: str) -> str:
    """Return the rank and the rating of a bot, each with how sure it is."""
    row = next(row for row in ratings.table.to_dict("records") if row["bot"] == name)
    best, worst = row["best_rank"], row["worst_rank"]
    sure = "and no other, with 95% confidence" if best == worst else f"may be {best} to {worst}"
    games = "one game" if row["games"] == 1 else f"{row['games']} games"
    within = interval(row["low"], row["high"], 0).removesuffix(" *")
    return (
        f"{name} is number {row['rank']} of {len(ratings.table)} ({sure}), "
        f"Elo {number(row['elo'], 0)} (95%: {within}) by {games}."
    )


def neighbours(ratings: Ratings, name: str) -> list[str]:
    """Return the names next to a bot in the table, the one above first."""
    order = [str(bot) for bot in ratings.table["bot"]]
    here = order.index(name)
    return order[max(0, here - 1) : here] + order[here + 1 : here + 2]


def likelihoods(ratings: Ratings, name: str) -> dict[str, float | None]:
    """Return 1 minus the one-sided p-value against each other bot; None where no games show it."""
    names = [str(other) for other in ratings.p_values.index]
    chances = 1 - ratings.p_values.to_numpy(dtype=float)[names.index(name)]
    return {
        other: None if math.isnan(chance) else round(float(chance), 3)
        for other, chance in zip(names, chances, strict=True)
        if other != name
    }


def describe_chance(chance: float) -> str:
    """Return a share in words; nothing that was sampled is certain."""
    return "over 99%" if chance > 0.99 else "under 1%" if chance < 0.01 else f"{chance:.0%}"  # noqa: PLR2004


def describe_match(ratings: Ratings) -> str:
    """Return who of two is better and how sure that is, or how many games would tell."""
    better, other = (str(name) for name in ratings.table["bot"])
    return verdict(ratings, better, other).sentence()

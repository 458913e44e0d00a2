"""Where one bot stands among the others, and how sure that is, in a few sentences."""

import math

from leaderboards import Ratings
from leaderboards.tables import elo_cells

__all__ = ["describe_chance", "describe_match", "describe_rank", "likelihoods", "neighbours"]


def describe_rank(ratings: Ratings, name: str) -> str:
    """Return the rank and the rating of a bot, each with how sure it is."""
    cells = next(row for row in elo_cells(ratings) if row["bot"] == name)
    ranks = cells["ranks"]
    alone = "-" not in ranks
    sure = "and no other, with 95% confidence" if alone else f"may be {ranks.replace('-', ' to ')}"
    interval = cells["95% interval"].removesuffix(" *")
    games = "one game" if cells["games"] == "1" else f"{cells['games']} games"
    return (
        f"{name} is number {cells['#']} of {len(ratings.table)} ({sure}), "
        f"Elo {cells['Elo']} ({interval}) by {games}."
    )


def neighbours(ratings: Ratings, name: str) -> list[str]:
    """Return the names next to a bot in the table, the one above first."""
    order = [str(bot) for bot in ratings.table["bot"]]
    here = order.index(name)
    return order[max(0, here - 1) : here] + order[here + 1 : here + 2]


def likelihoods(ratings: Ratings, name: str) -> dict[str, float | None]:
    """Return the likelihood that a bot is better than each other; None where no games show it."""
    names = [str(other) for other in ratings.superiority.index]
    chances = ratings.superiority.to_numpy(dtype=float)[names.index(name)]
    return {
        other: None if math.isnan(chance) else round(float(chance), 3)
        for other, chance in zip(names, chances, strict=True)
        if other != name
    }


def describe_chance(chance: float) -> str:
    """Return a likelihood in words; nothing that was sampled is certain."""
    return "over 99%" if chance > 0.99 else "under 1%" if chance < 0.01 else f"{chance:.0%}"  # noqa: PLR2004


def describe_match(ratings: Ratings) -> str:
    """Return in a sentence how likely the bot above is better than the one below, of two."""
    better, other = (str(name) for name in ratings.table["bot"])
    chance = likelihoods(ratings, better)[other]
    if chance is None:
        return f"No game shows who is better, {better} or {other}."
    return f"Likelihood that {better} is better than {other}: {describe_chance(chance)}."

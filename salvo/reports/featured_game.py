"""Which game of a tournament its report replays."""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

__all__ = ["FeaturedGame", "pick_featured_game"]


class FeaturedGame(NamedTuple):
    """The id of a game, and a sentence on why it was chosen."""

    id: str
    why: str


def pick_featured_game(
    games: pd.DataFrame, solo: pd.DataFrame, ranked: Sequence[str], ranked_alone: Sequence[str]
) -> FeaturedGame | None:
    """Return the game; None if none was played to its end.

    It is the closest game of the two best bots that met, or else a solo game of the best bot that
    took its median number of shots. Forfeits are left out; of several such games the first is
    chosen.

    Args:
        games: The two-player games of the record, one a row.
        solo: The solo games of the record, one a row.
        ranked: The names of the bots of two-player games, the best first.
        ranked_alone: The names of the bots of solo games, the best first.
    """
    played = games[games["forfeit"].isna()]
    if len(played):
        return _closest(played, ranked)
    played = solo[solo["forfeit"].isna()]
    return _typical(played, ranked_alone) if len(played) else None


def _closest(games: pd.DataFrame, ranked: Sequence[str]) -> FeaturedGame:
    places = {bot: place for place, bot in enumerate(ranked)}
    seats = pd.DataFrame({seat: games[seat].map(places) for seat in ("first", "second")})
    order = pd.DataFrame(
        {
            "worse": seats.max(axis=1),
            "better": seats.min(axis=1),
            "apart": (games["first_hits"] - games["second_hits"]).abs(),
        }
    ).sort_values(["worse", "better", "apart"], kind="stable")
    nearest = order.iloc[0]
    best, other = ranked[int(nearest["better"])], ranked[int(nearest["worse"])]
    apart = int(nearest["apart"])
    why = (
        f"The closest game of {best} and {other}, the two best bots that met: "
        f"they ended {apart} hit{'' if apart == 1 else 's'} apart."
    )
    return FeaturedGame(str(games.loc[order.index[0], "id"]), why)


def _typical(solo: pd.DataFrame, ranked: Sequence[str]) -> FeaturedGame:
    played = set(solo["first"])
    best = next(bot for bot in ranked if bot in played)
    games = solo[solo["first"] == best].sort_values("first_shots", kind="stable")
    game = games.iloc[(len(games) - 1) // 2]
    why = f"A solo game of {best}, the best bot, of median length: {game['first_shots']} shots."
    return FeaturedGame(str(game["id"]), why)

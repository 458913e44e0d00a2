"""Chooses which games of a tournament its report shows to be watched."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from arena.records import Termination
from arena.text import counted
from leaderboards import Ratings


class FeaturedGame(NamedTuple):
    """A game to watch."""

    id: str
    key: str  # its address on the page
    label: str
    why: str  # a sentence on why it was chosen, to be read after the label


def featured_games(
    games: pd.DataFrame, solo: pd.DataFrame, ratings: Ratings | None, ranked_alone: Sequence[str]
) -> list[FeaturedGame]:
    """Return the games, each once: the closest first, then the longest, an upset, and so on.

    Of several games that are alike the first is chosen.
    """
    return [
        *([] if ratings is None else _of_two(games[games["forfeit"].isna()], ratings)),
        *_forfeit(games),
        *_alone(solo[solo["forfeit"].isna()], ranked_alone),
    ]


def _of_two(played: pd.DataFrame, ratings: Ratings) -> Iterator[FeaturedGame]:
    if played.empty:
        return
    closest = _closest(played, [str(bot) for bot in ratings.table["bot"]])
    yield closest
    others = played[played["id"] != closest.id]
    if others.empty:
        return
    longest = _longest(others)
    yield longest
    yield from _upset(others[others["id"] != longest.id], ratings)


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
    apart = int(nearest["apart"])
    why = (
        "The two stand highest in the table of those that met, and ended "
        f"{counted(apart, 'hit')} apart."
    )
    return FeaturedGame(str(games.loc[order.index[0], "id"]), "closest", "The closest game", why)


def _longest(games: pd.DataFrame) -> FeaturedGame:
    turns = games[["first_turns", "second_turns"]].max(axis=1)
    row = games.iloc[int(turns.to_numpy().argmax())]
    return FeaturedGame(
        str(row["id"]), "longest", "The longest game", f"It took {turns.max()} turns."
    )


def _upset(games: pd.DataFrame, ratings: Ratings) -> Iterator[FeaturedGame]:
    expected = {(row.bot, row.opponent): row.predicted for row in ratings.pairings.itertuples()}
    won = games[games["result"] != "draw"]
    if won.empty:
        return
    winner = won["first"].where(won["result"] == "first", won["second"]).tolist()
    loser = won["second"].where(won["result"] == "first", won["first"]).tolist()
    chances = np.array([expected.get(pair, np.nan) for pair in zip(winner, loser, strict=True)])
    if not np.nan_to_num(chances, nan=1.0).min() < 1 / 2:
        return
    place = int(np.nanargmin(chances))
    why = (
        f"{winner[place]} won, though its rating gives it "
        f"{_percent(float(chances[place]))} of the points against {loser[place]}."
    )
    yield FeaturedGame(str(won["id"].iloc[place]), "upset", "An upset", why)


def _forfeit(games: pd.DataFrame) -> Iterator[FeaturedGame]:
    lost = games[
        games["forfeit"].notna()
        & (games["first_shots"] + games["second_shots"] > 0)
        & (games["termination"] != Termination.BARRED)
    ]
    if lost.empty:
        return
    kind = lost["termination"].mode()[0]
    row = lost[lost["termination"] == kind].iloc[0]
    why = f"{row[row['forfeit']]} lost it by {kind}, the commonest kind."
    yield FeaturedGame(str(row["id"]), "forfeit", "A forfeit", why)


def _alone(solo: pd.DataFrame, ranked: Sequence[str]) -> Iterator[FeaturedGame]:
    played = set(solo["first"])
    best = next((bot for bot in ranked if bot in played), None)
    if best is None:
        return
    games = solo[solo["first"] == best].sort_values("first_shots", kind="stable")
    game = games.iloc[(len(games) - 1) // 2]
    why = (
        f"{best} is first in the table; of its games this one is of median length: "
        f"{game['first_shots']} shots."
    )
    yield FeaturedGame(str(game["id"]), "solo", "A solo game", why)


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 else "less than 1%"  # noqa: PLR2004

"""Lists what can be chosen about the leaderboards; light, since every command imports it."""

from dataclasses import dataclass
from typing import Literal

Table = Literal["elo", "turns", "differences", "games"]
TABLES: tuple[Table, ...] = ("elo", "turns", "differences", "games")


@dataclass(frozen=True)
class HowRated:
    """The choices about the rating of two-player games."""

    prior: bool = True
    # A bot and the Elo at which it stands; None for the mean of the field at 1500.
    anchor: tuple[str, float] | None = None
    count_forfeits: bool = True  # whether forfeited games count as lost; else they are left out
    looks: int = 1  # how many looks at the growing record were planned, any of which may end it

"""What can be chosen about the leaderboards; light, since every command imports it."""

from dataclasses import dataclass
from typing import Literal

Table = Literal["elo", "turns", "differences", "games"]
TABLES: tuple[Table, ...] = ("elo", "turns", "differences", "games")


@dataclass(frozen=True)
class HowRated:
    """How two-player games are rated.

    Attributes:
        anchor: A bot and the Elo at which it stands; None for the mean of the field at 1500.
        count_forfeits: Whether forfeited games count as lost; else they are left out.
    """

    prior: bool = True
    anchor: tuple[str, float] | None = None
    count_forfeits: bool = True

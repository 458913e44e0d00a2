"""Describes the tournaments in a league's calendar, such as a practice round, a sprint, the final.

All that a tournament depends on is fixed when it is announced: when it begins, how many games are
played at most, at which sizes it is looked at, and its seed, of which only a hash is published
beforehand. It is played by the versions that are in the league when it begins.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from arena.seeds import LEAGUE_SEED_BITS, fingerprint

KIND = "planned"
"""Of such tournaments in the record of a league."""

FINAL = "final"
"""The name of the tournament that is played once versions are frozen."""

MOST_LOOKS = 10
MOST_PLANNED = 50

Moment = Annotated[datetime, Meta(tz=True)]
"""A moment with its time zone, so that summer time moves nothing."""


class Planned(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tournament in the calendar of a league: a round robin on seeds of its own.

    Attributes:
        at: When it begins.
        games: Games a pairing, at most.
        looks: At how many sizes the result is looked at, the last of them the whole. Each look may
            end it.
        seed: What its randomness derives from, as that of the league; public once it has ended.
    """

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,29}$")]
    at: Moment
    games: Annotated[int, Meta(ge=2, multiple_of=2)]
    looks: Annotated[int, Meta(ge=1, le=MOST_LOOKS)]
    seed: Annotated[str, Meta(pattern="^[0-9]{1,78}$")]

    @property
    def fingerprint(self) -> str:
        """The hash of its seed that is published beforehand."""
        return fingerprint(self.seed)

    def blocks(self, block_pairs: int) -> int:
        """Return how many blocks a pairing has at most."""
        return -(-self.games // (2 * block_pairs))

    def pairs_at(self, look: int, block_pairs: int) -> int:
        """Return how many pairs a pairing has played at a look, from 1: whole blocks of them."""
        blocks = -(-look * self.blocks(block_pairs) // self.looks)
        return min(blocks * block_pairs, self.games // 2)


def refuse_impossible(
    planned: Sequence[Planned], closes: datetime | None, block_pairs: int
) -> None:
    """Refuse tournaments that cannot be played.

    Raises:
        ValueError: If there are two of one name, one has more looks than blocks, or the final comes
            before versions are frozen.
    """
    if len(planned) > MOST_PLANNED:
        raise ValueError(f"tournaments: there are {len(planned)}; plan {MOST_PLANNED} at most")
    for place, one in enumerate(planned):
        if one.name == "league" or one.name in {other.name for other in planned[:place]}:
            raise ValueError(f"tournament {one.name}: the name is taken; choose another")
        blocks = one.blocks(block_pairs)
        if one.looks > blocks:
            raise ValueError(
                f"tournament {one.name}: {one.looks} looks are more than the {blocks} blocks of "
                f"{2 * block_pairs} games a pairing; plan fewer looks or more games"
            )
        if one.name == FINAL and (closes is None or one.at < closes):
            raise ValueError(
                f"tournament {FINAL}: it is played when versions are frozen; set `closes` to a "
                "moment before it, or give it another name"
            )


def draw_planned(name: str, at: datetime, games: int, looks: int) -> Planned:
    """Return a tournament on a seed that is drawn now."""
    seed = str(secrets.randbits(LEAGUE_SEED_BITS))
    return Planned(name=name, at=at, games=games, looks=looks, seed=seed)

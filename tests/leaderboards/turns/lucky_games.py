"""Simulates solo games of known luck."""

import numpy as np
import pandas as pd

from leaderboards.turns.means import Floats

BLOCKS, SIZE = 20, 10

TILTS = np.array([0.1, 0.3, 1.0, 3.0])
"""The tilts of e-values of normal luck; those of each have an expectation of 1."""


def e_values(better: Floats) -> dict[str, Floats]:
    """Return the columns of e-values of games whose luck is so many deviations good."""
    logs = TILTS * better[:, None] - TILTS**2 / 2
    return {f"log_e_{number}": logs[:, number] for number in range(len(TILTS))}


def solo(  # noqa: PLR0913 - each says one thing that differs between bots
    bot: str = "ace",
    *,
    mean_luck: float = 0,
    seed: int = 1,
    blocks: int = BLOCKS,
    share: float = 1,
    alike: float = 1,
    turns: float = 60,
) -> pd.DataFrame:
    """Return games in blocks, whose turns are luck to some share, and besides vary by 1.

    Args:
        share: By how much turns follow luck; 1 for strong bots, 0 for weak ones.
        alike: By how much blocks differ, beside what varies from game to game.
        turns: The mean.
    """
    generator = np.random.default_rng(seed)
    layouts = np.arange(blocks * SIZE)
    block = layouts // SIZE
    luck = generator.normal(mean_luck, 8, len(layouts))
    skill = generator.normal(0, alike, blocks)[block] + generator.normal(0, 1, len(layouts))
    taken = np.clip(np.round(turns + share * luck + skill), 17, 100).astype(int)
    return pd.DataFrame(
        {
            "bot": bot,
            "layout": layouts,
            "turns": taken,
            "shots": taken * 2,
            "hits": 17,
            "forfeit": False,
            "luck": luck,
            "luck_shots": luck * 2,
            "block": block,
            **e_values(-luck / 8),
        }
    )

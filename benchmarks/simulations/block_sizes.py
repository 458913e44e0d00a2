"""What the size of a block does to intervals: larger blocks are fewer, and tell less apart."""

import numpy as np

from benchmarks.simulations.coverage import Scenario, simulated_field
from leaderboards.elo.elo_table import ELO_PER_NAT
from leaderboards.elo.estimate import estimated
from leaderboards.elo.ratings import PRIOR_PAIRS


def interval_width_elo(scenario: Scenario, simulations: int, seed: int) -> float:
    """Return the mean width of a bot's 95% interval in simulated tournaments, in Elo.

    Args:
        scenario: What is simulated.
        simulations: How many tournaments.
        seed: The seed of the simulation; the same seed gives the same width.
    """
    generator = np.random.default_rng(seed)
    widths = []
    for _ in range(simulations):
        estimate = estimated(simulated_field(scenario, generator), PRIOR_PAIRS)
        width = estimate.high - estimate.low
        widths += width[np.isfinite(width)].tolist()
    return float(np.mean(widths) * ELO_PER_NAT)

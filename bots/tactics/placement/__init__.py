"""Where to place a fleet so that strong shooters take long to find it, and who may do so."""

from bots.tactics.placement.opponent import Opponent
from bots.tactics.placement.policy import place

__all__ = ["Opponent", "place"]

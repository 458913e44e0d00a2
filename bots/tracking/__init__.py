"""What is known of the opponent's sea: cells tried, hits still open, ships sunk."""

from bots.tracking.grid import neighbours, opposites
from bots.tracking.tracker import Tracker
from bots.tracking.turns import in_turns

__all__ = ["Tracker", "in_turns", "neighbours", "opposites"]

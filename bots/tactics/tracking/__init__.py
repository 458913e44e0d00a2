"""What is known of the opponent's board: cells tried, open hits, ships sunk."""

from bots.tactics.tracking.grid import neighbours, opposites
from bots.tactics.tracking.tracker import TRACKED, Tracker
from bots.tactics.tracking.turns import in_turns

__all__ = ["TRACKED", "Tracker", "in_turns", "neighbours", "opposites"]

"""How many places of the ships afloat cover each cell."""

from bots.counting.lanes import count_placements
from bots.counting.runs import runs_through

__all__ = ["count_placements", "runs_through"]

"""How many places of the ships afloat cover each cell."""

from bots.tactics.placement_counts.lanes import count_placements
from bots.tactics.placement_counts.runs import runs_through

__all__ = ["count_placements", "runs_through"]

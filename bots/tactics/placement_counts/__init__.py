"""How many placements of the ships afloat cover each cell."""

from bots.tactics.placement_counts.hit_weight import HIT_WEIGHT
from bots.tactics.placement_counts.lanes import count_placements
from bots.tactics.placement_counts.runs import runs_through

__all__ = ["HIT_WEIGHT", "count_placements", "runs_through"]

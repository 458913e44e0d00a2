"""Who plays whom, in which blocks, with which seeds, given what has been played. Pure."""

from arena.schedule.interface import WAIT, Schedule, Wait
from arena.schedule.pending import Pending
from arena.schedule.plan import LAYOUTS_PER_BLOCK, PAIRS_PER_BLOCK, Plan, gauntlet, round_robin

__all__ = [
    "LAYOUTS_PER_BLOCK",
    "PAIRS_PER_BLOCK",
    "WAIT",
    "Pending",
    "Plan",
    "Schedule",
    "Wait",
    "gauntlet",
    "round_robin",
]

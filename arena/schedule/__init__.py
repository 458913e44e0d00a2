"""Decides who plays whom, in which blocks, with which seeds, given what has been played. Pure."""

from arena.schedule.pending import Pending, others_blocks, sizes_of
from arena.schedule.plan import Plan, gauntlet, round_robin
from arena.schedule.rounds import Draw, Pairing, Rounds
from arena.schedule.schedule import WAIT, Schedule, Wait
from arena.schedule.shard import ShardPlan
from arena.schedule.swiss import Swiss
from arena.schedule.until import Until

"""Plays tournaments: their blocks, here or far away, until the record has what is wanted."""

from arena.tournament.block_task import play_here
from arena.tournament.introductions import connect, introduce, introduce_all
from arena.tournament.outages import Outages, PutOff, waiting
from arena.tournament.runs import copied, make_plan, name_tournament, refuse_readers, run

"""Entrants: what a BOT on the command line names, as a program and a hash of its content."""

from arena.entrants.content import stamps
from arena.entrants.entrant import NAME, Entrant, parse_entrant, parse_entrants
from arena.entrants.keeping import keep, kept_bot

__all__ = ["NAME", "Entrant", "keep", "kept_bot", "parse_entrant", "parse_entrants", "stamps"]

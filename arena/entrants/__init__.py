"""Entrants: what a BOT on the command line names, as a program and a hash of its content."""

from arena.entrants.classes import ClassEntrant, enter_class
from arena.entrants.copies import Copies, private_folder
from arena.entrants.entrant import Entrant, enter, parse_entrant, parse_entrants
from arena.entrants.keeping import keep
from arena.entrants.names import NAME, refuse_alike, refuse_name, same_name
from arena.entrants.needs import MAX_MEMORY_MB
from arena.entrants.owned import write
from arena.entrants.parcel import Parcel, pack, unpack
from arena.entrants.terms import Terms
from arena.entrants.words import parse_path, split_bot

__all__ = [
    "MAX_MEMORY_MB",
    "NAME",
    "ClassEntrant",
    "Copies",
    "Entrant",
    "Parcel",
    "Terms",
    "enter",
    "enter_class",
    "keep",
    "pack",
    "parse_entrant",
    "parse_entrants",
    "parse_path",
    "private_folder",
    "refuse_alike",
    "refuse_name",
    "same_name",
    "split_bot",
    "unpack",
    "write",
]

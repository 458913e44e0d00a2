"""Makes entrants of what a BOT names on the command line: a program and a hash of its content."""

from arena.entrants.bot_argument import parse_path, split_bot
from arena.entrants.bot_names import NAME, refuse_alike, refuse_name, same_name
from arena.entrants.class_entrant import ClassEntrant, enter_class
from arena.entrants.copies import Copies, keep, private_folder
from arena.entrants.entrant import Entrant, enter, parse_entrant
from arena.entrants.hashed_files import write
from arena.entrants.library import Library
from arena.entrants.needs import MAX_MEMORY_MB, Terms
from arena.entrants.packed_bot import PackedBot, pack, unpack
from arena.entrants.secret import Secret, parse_secret, refuse_unasked

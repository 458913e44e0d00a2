"""Asks players, be they programs or people, for their moves."""

from arena.player.ending import last_words
from arena.player.in_process import UNHURRIED, InProcessPlayer
from arena.player.masking import Masking, masking_of
from arena.player.messages import ONLY_ANSWERS
from arena.player.player import Fault, Killed, News, Outage, Player, Reply, Starved, Unsure
from arena.player.process_transport import ProcessTransport
from arena.player.program_player import program_player
from arena.player.remote_player import RemotePlayer
from arena.player.stderr_log import LogFiles

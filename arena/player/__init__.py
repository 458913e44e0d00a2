"""Players: whoever can be asked for a move."""

from arena.player.in_process import UNHURRIED, InProcessPlayer
from arena.player.interface import Fault, Killed, News, Player, Reply, Starved, Unsure
from arena.player.process import ProcessTransport, Transport
from arena.player.remote import RemotePlayer
from arena.player.stderr_log import Log, LogFiles

__all__ = [
    "UNHURRIED",
    "Fault",
    "InProcessPlayer",
    "Killed",
    "Log",
    "LogFiles",
    "News",
    "Player",
    "ProcessTransport",
    "RemotePlayer",
    "Reply",
    "Starved",
    "Transport",
    "Unsure",
]

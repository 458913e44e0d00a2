"""Whoever can be asked for a move, and the bots among them."""

from arena.player.interface import Fault, Killed, News, Player, Reply, Starved, Unsure
from arena.player.process import ProcessTransport, Transport
from arena.player.remote import RemotePlayer

__all__ = [
    "Fault",
    "Killed",
    "News",
    "Player",
    "ProcessTransport",
    "RemotePlayer",
    "Reply",
    "Starved",
    "Transport",
    "Unsure",
]

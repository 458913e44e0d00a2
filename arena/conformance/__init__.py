"""Holds a bot to the protocol and the rules, in numbered steps, and shows where it fails.

The bot is played with by the real player and the real referee; only its lines are overheard.
"""

from arena.conformance.steps import Step, check
from arena.conformance.wire import Exchange

__all__ = ["Exchange", "Step", "check"]

"""Checks a bot against the protocol and the rules in numbered steps, and shows where it fails.

The bot plays through the real player and referee; its lines are recorded on the way.
"""

from arena.conformance.steps import Step, check
from arena.conformance.wire import Exchange

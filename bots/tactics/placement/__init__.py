"""Where to place a fleet so that strong shooters take long to find it."""

from bots.tactics.placement.policy import place

__all__ = ["place"]

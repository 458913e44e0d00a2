"""Holds the bundled bots, one file each, and bots.tactics, which several of them share."""

"""Plays a run: how much, what it says, and how it ends."""

"""Averages the turns that bots take alone, with intervals, as they are and adjusted for luck."""

"""Searches many layouts by many shooters at once, for the trainer of placement."""

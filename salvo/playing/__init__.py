"""Plays games into a record: enters bots, plays what is missing, and describes what went wrong."""

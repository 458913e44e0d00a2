"""Turns the record into tables, and tables of others into what the leaderboards read."""

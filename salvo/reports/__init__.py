"""Turns the record into tables, standings, words and pages: returns them, and never prints."""

"""Rates the games of a record and shows where each bot stands."""

"""Solves small games: finds the lowest mean number of turns, and how to reach it."""

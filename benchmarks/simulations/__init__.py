"""Simulates tournaments of known ratings."""

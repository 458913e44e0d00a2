"""Holds what several bots share: tracking, posterior, solver, placement, their own fleet."""

"""Compares results with published numbers, with other players, and with targets."""

"""Compares results with published numbers and with targets."""

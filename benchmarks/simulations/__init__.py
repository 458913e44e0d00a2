"""Simulates tournaments and tests whose truth is known."""

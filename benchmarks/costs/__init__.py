"""Measures processor time and memory."""

"""Plays games for benchmarks, and compares their results."""

"""Plays games for benchmarks, and estimates what they say."""

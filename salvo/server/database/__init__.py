"""Keeps what the server knows beside the league: keys, names, the queue, and results."""

"""Holds the benchmark battleship-v1: its tasks, who plays them, results, and the table of them.

``tasks`` is frozen: another rule, layout or way of counting is another version.
"""

"""Checks uploads, plays and rates the league, each in a process of its own."""

"""Deletes a person's data from a league; the games of their bots stay, under neutral names."""

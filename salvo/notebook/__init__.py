"""Plays, checks and shows bots and their games in notebooks and scripts; ``salvo`` exports it."""

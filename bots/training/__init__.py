"""Holds trainers, one a file: each plays, learns, and writes the weights of a bundled bot.

``salvo train NAME`` runs them. No bot imports them.
"""

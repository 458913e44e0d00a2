"""Holds a bot, bot.py, and the weights it plays by."""

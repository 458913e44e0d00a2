"""A bot that is a folder: bot.py, and the weights it plays by."""

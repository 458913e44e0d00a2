"""Trains the agents whose rows stand in the table of battleship-v1."""

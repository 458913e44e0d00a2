"""Computes for ever before it says anything."""

while True:
    pass

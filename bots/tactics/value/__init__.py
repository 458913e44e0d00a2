"""Estimates how many shots a strong shooter still needs, and how lucky the answers so far were.

``chances`` finds what may follow a salvo, and a small network values each answer. Both together say
how lucky an answer was, which is how results are adjusted (``docs/luck.md``), and which of some
shots is best (``docs/strength.md``).
"""

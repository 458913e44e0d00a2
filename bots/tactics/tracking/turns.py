"""Spread the shots of one salvo over several targets."""

from collections.abc import Sequence
from random import Random


def in_turns(groups: Sequence[list[int]], random: Random) -> list[int]:
    """Return the cells of all groups, each once: one cell of each group, then a second, and so on.

    The groups take turns in random order, and so do the cells of each. The lists are shuffled.
    """
    if not groups:
        return []
    order = list(groups)
    random.shuffle(order)
    for group in order:
        random.shuffle(group)
    # A dictionary keeps the first place of a cell that several groups name.
    merged: dict[int, None] = {}
    for number in range(max(map(len, order))):
        merged.update((group[number], None) for group in order if number < len(group))
    return list(merged)

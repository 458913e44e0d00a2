"""A bot with Salvo's class that plays with its option alone."""

import sys
from collections.abc import Sequence

from arena import Bot, run


class WithOption(Bot):
    """Shoots the cells in order."""

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the first cells that were not shot yet."""
        return self.untried[:count]


def with_option() -> Bot:
    """Return the bot, if it is given its option."""
    if sys.argv[1:] != ["300"]:
        raise SystemExit(f"it was given {sys.argv[1:]}")
    return WithOption()


run(with_option)

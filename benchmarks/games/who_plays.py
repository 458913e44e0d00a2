"""Which of the bots that go by the posterior play which rules, and why not the others."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from tabulate import tabulate

from arena.rules import Rules, view
from salvo.bundled import bot_class

BOTS = (
    "posterior_greedy",
    "posterior_parity",
    "value_search",
    "brute_force",
    "monte_carlo",
    "thompson",
    "thompson_enumeration",
)
"""All bots that go by the posterior."""

_KINDS: dict[str, Callable[[Rules], bool]] = {
    "hits are only counted": lambda rules: rules.told != "cells",
    "reports may be lies": lambda rules: rules.lies > 0,
    "the fleet is unknown": lambda rules: not rules.fleet_known,
    "ships move": lambda rules: rules.moves,
    "ships may not touch": lambda rules: rules.touching != "allowed",
}
"""What may keep a bot from playing."""


def plays(bot: str, rules: Rules) -> bool:
    """Return whether a bundled bot says that it plays some rules."""
    return bot_class(bot)().plays(view(rules))


def who_plays(games: Iterable[Rules]) -> str:
    """Return a table of ``BOTS``: how many of some games each plays, and why not the others.

    The reason is what such a game has and none that the bot plays.
    """
    games = list(games)
    rows = []
    for bot in BOTS:
        played = [rules for rules in games if plays(bot, rules)]
        missing = [rules for rules in games if rules not in played]
        rows.append((f"`{bot}`", f"{len(played)} of {len(games)}", _why_not(missing, played)))
    heads = ("bot", "plays", "does not play")
    return str(tabulate(rows, headers=heads, tablefmt="github", disable_numparse=True))


def _why_not(missing: Sequence[Rules], played: Sequence[Rules]) -> str:
    by_reason: defaultdict[str, list[str]] = defaultdict(list)
    for rules in missing:
        kinds = [
            kind for kind, holds in _KINDS.items() if holds(rules) and not any(map(holds, played))
        ]
        by_reason[" and ".join(kinds)].append(f"`{rules.name}`")
    return "; ".join(f"{', '.join(names)}: {kinds}" for kinds, names in by_reason.items())

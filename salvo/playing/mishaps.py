"""Describes what went wrong while games were played: forfeits, interruptions, overload."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from arena.origin import Origin
from arena.records import Termination, Void
from arena.store import RESULT_COLUMNS, Store, Tournament
from arena.text import counted
from arena.tournament import PutOff

_SHOWN = 400  # characters of a reason
_OVERLOAD = 1.5  # threads for each processor beyond which a machine is said to be overloaded


def describe_forfeits(tournament: Tournament, store: Store) -> Iterator[str]:
    """Yield the bots that forfeited games, and how to see why."""
    games: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    reasons: dict[str, Counter[str]] = defaultdict(Counter)
    for row in store.results(tournament.name):
        game = dict(zip(RESULT_COLUMNS, row, strict=True))
        games.update(filter(None, (game["first"], game["second"])))
        if game["forfeit"]:
            loser = game[game["forfeit"]]
            lost[loser] += 1
            # A bot is barred for what it forfeited earlier games by.
            reasons[loser][game["reason"]] += game["termination"] != Termination.BARRED
    for name in [entrant.name for entrant in tournament.entrants if lost[entrant.name]]:
        reason = max(sorted(reasons[name]), key=reasons[name].__getitem__)[:_SHOWN]
        yield (
            f"{name} forfeited {lost[name]} of {games[name]} games, mostly because: {reason}; "
            f"`salvo games --forfeits --tournament {tournament.name}` shows all, and its stderr"
        )


def describe_voids(voids: Iterable[Void]) -> Iterator[str]:
    """Yield the bots whose games were interrupted and played again."""
    voids = list(voids)
    outages = Counter(void.entrant for void in voids if void.outage)
    for name, games in sorted(outages.items()):
        yield (
            f"{name}: said in {counted(games, 'game')} that it could not go on; "
            "they were void, and played again on other seeds"
        )
    for name, games in sorted(Counter(void.entrant for void in voids if not void.outage).items()):
        yield (
            f"{name}: its process was killed from outside or did not get the processor in "
            f"{counted(games, 'game')}, which were played again on other seeds"
        )


def describe_put_off(blocks: Iterable[PutOff]) -> Iterator[tuple[PutOff, str]]:
    """Yield what was put off to another run, each match once, and why."""
    for block, count in Counter(blocks).items():
        why = (
            f"{counted(count, 'block')} not played, since {block.entrant} "
            f"{block.reason}; the same again plays what is missing"
        )
        yield block, why


def describe_overload(late: Sequence[Origin]) -> str | None:
    """Return a warning if games were lost by time where machines were overloaded."""
    loads = [origin.load for origin in late if origin.load is not None and origin.load > _OVERLOAD]
    if not loads:
        return None
    return (
        f"{len(loads)} of the {len(late)} games that were lost by time were played where up to "
        f"{max(loads):.1f} threads shared a processor: that may be why; play fewer blocks at once "
        "there"
    )

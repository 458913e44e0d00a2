"""`salvo bench rules`: turns a second through the rules, and in a loop that only indexes lists."""

import time
from collections.abc import Callable, Iterator
from random import Random
from statistics import median

import msgspec

from arena.rules import (
    Place,
    Rules,
    Shoot,
    State,
    apply,
    begin,
    cells_of,
    draw,
    name_layout,
    preset,
)
from salvo.bench.lines import outcome_line

__all__ = ["rules"]

AIM = 0.2
LISTS_TIMES = 10
"""How often a round goes through the lists, which take that much less time."""

Sea = list[bool]
"""Whether a ship lies on each cell."""


class _Game(msgspec.Struct):
    """Two layouts, and the order in which each seat shoots at the other's."""

    placed: State
    seas: tuple[Sea, Sea]
    orders: tuple[list[int], list[int]]


def rules(games: int, rounds: int) -> Iterator[str]:
    """Time the same games of `classic` through `arena.rules` and over lists, on one core.

    Both are played in turn, round by round, and timed in processor time; the headline is the median
    share of a round.

    Args:
        games: Games in a round.
        rounds: How many rounds.

    Yields:
        A line a round, and the outcome.
    """
    random = Random(1)
    dealt = [_deal(preset("classic"), random) for _ in range(games)]
    turns = sum(_over_lists(game) for game in dealt)
    assert turns == sum(_through_rules(game) for game in dealt)
    shares = []
    speeds = []
    for number in range(rounds):
        by_lists = turns * LISTS_TIMES / _seconds(_over_lists, dealt * LISTS_TIMES)
        by_rules = turns / _seconds(_through_rules, dealt)
        shares.append(by_rules / by_lists)
        speeds.append(by_rules)
        yield (
            f"round {number + 1}: lists {by_lists:10,.0f} turns/s, rules {by_rules:9,.0f} turns/s, "
            f"share {shares[-1]:.3f}"
        )
    outcome = {
        "benchmark": "rules",
        "ratio": round(median(shares), 3),
        "aim": AIM,
        "turns_per_s": round(median(speeds)),
        "turns": turns,
    }
    yield outcome_line(outcome)


def _deal(rules: Rules, random: Random) -> _Game:
    """Return a game after both fleets were placed."""
    layouts = [draw(rules, random) for _ in range(2)]
    placed = begin(rules)
    for layout in layouts:
        placed = apply(placed, Place(name_layout(rules, layout)))
    occupied = [set(cells_of(sum(layout))) for layout in layouts]
    first, second = ([cell in cells for cell in range(rules.cells)] for cells in occupied)
    orders = [random.sample(range(rules.cells), rules.cells) for _ in range(2)]
    return _Game(placed, (first, second), (orders[0], orders[1]))


def _seconds(play: Callable[[_Game], int], games: list[_Game]) -> float:
    started = time.process_time()
    for game in games:
        play(game)
    return time.process_time() - started


def _through_rules(game: _Game) -> int:
    """Play a game by the rules; return its turns."""
    state = game.placed
    first, second = (iter(order) for order in game.orders)
    turns = 0
    while (request := state.request) is not None:
        cell = next(first if request.seat == "first" else second)
        state = apply(state, Shoot((cell,)))
        turns += 1
    return turns


def _over_lists(game: _Game) -> int:
    """Look the same shots up in lists until one side is sunk; return the turns."""
    seas = game.seas[::-1]  # at which each seat shoots
    orders = game.orders
    left = [sum(sea) for sea in seas]
    fired = [0, 0]
    seat = turns = 0
    while True:
        cell = orders[seat][fired[seat]]
        fired[seat] += 1
        turns += 1
        if seas[seat][cell]:
            left[seat] -= 1
            if not left[seat]:
                return turns
        seat = 1 - seat

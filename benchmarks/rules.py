"""Times the same games of `classic` through `arena.rules` and over lists, on one core.

Over lists, too, each shot is checked and reported, but for this game alone, and the lists are
changed in place. Both are played in turn, round by round, and timed in processor time; the headline
is the median share of a round.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median

import msgspec

from arena.errors import IllegalActionError
from arena.rules import (
    CellsReport,
    Layout,
    Place,
    Report,
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
from benchmarks.lines import outcome_line
from benchmarks.options import option

AIM = 0.2
LISTS_TIMES = 4
"""How often a round goes through the lists, which take that much less time."""

ShipByCell = list[str | None]
"""The name of the ship on each cell."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    games: int = option(100, "Games in a round.")
    rounds: int = option(9, "How many rounds.")


class _Game(msgspec.Struct):
    """Two layouts, and the order in which each seat shoots at the other's."""

    placed: State
    layouts: tuple[ShipByCell, ShipByCell]
    orders: tuple[list[int], list[int]]


def run(settings: Settings) -> Iterator[str]:
    """Yield a line a round, and the outcome."""
    random = Random(1)
    dealt = [_deal(preset("classic"), random) for _ in range(settings.games)]
    reports = [_over_lists(game) for game in dealt]
    assert reports == [_through_rules(game) for game in dealt]
    turns = sum(map(len, reports))
    shares = []
    speeds = []
    for number in range(settings.rounds):
        by_lists = turns * LISTS_TIMES / _seconds(_over_lists, dealt * LISTS_TIMES)
        by_rules = turns / _seconds(_through_rules, dealt)
        shares.append(by_rules / by_lists)
        speeds.append(by_rules)
        yield (
            f"round {number + 1}: lists {by_lists:10,.0f} turns/s, rules {by_rules:9,.0f} turns/s, "
            f"share {shares[-1]:.3f}"
        )
    yield outcome_line(
        "rules",
        ratio=round(median(shares), 3),
        aim=AIM,
        turns_per_s=round(median(speeds)),
        turns=turns,
    )


def _deal(rules: Rules, random: Random) -> _Game:
    layouts = [draw(rules, random) for _ in range(2)]
    placed = begin(rules)
    for layout in layouts:
        placed = apply(placed, Place(name_layout(rules, layout)))
    first, second = (_ship_by_cell(rules, layout) for layout in layouts)
    orders = [random.sample(range(rules.cells), rules.cells) for _ in range(2)]
    return _Game(placed, (first, second), (orders[0], orders[1]))


def _ship_by_cell(rules: Rules, layout: Layout) -> ShipByCell:
    ships: ShipByCell = [None] * rules.cells
    for ship, mask in zip(rules.fleet, layout, strict=True):
        for cell in cells_of(mask):
            ships[cell] = ship.name
    return ships


def _seconds(play: Callable[[_Game], object], games: list[_Game]) -> float:
    started = time.process_time()
    for game in games:
        play(game)
    return time.process_time() - started


def _through_rules(game: _Game) -> list[Report]:
    """Play a game by the rules; return the report of each turn."""
    state = game.placed
    first, second = (iter(order) for order in game.orders)
    reports = []
    while (request := state.request) is not None:
        cell = next(first if request.seat == "first" else second)
        state = apply(state, Shoot((cell,)))
        assert state.salvo is not None
        reports.append(state.salvo.report)
    return reports


def _over_lists(game: _Game) -> list[Report]:
    """Play the same game over lists that are changed in place; return the same."""
    targets = game.layouts[::-1]  # at which each seat shoots
    orders = [iter(order) for order in game.orders]
    shot = [[False] * len(ships) for ships in targets]
    left = [Counter(filter(None, ships)) for ships in targets]
    reports: list[Report] = []
    seat = 0
    while True:
        reports.append(_shoot(targets[seat], shot[seat], left[seat], (next(orders[seat]),)))
        if not left[seat]:
            return reports
        seat = 1 - seat


def _shoot(
    ships: ShipByCell, shot: list[bool], left: dict[str, int], cells: Sequence[int]
) -> Report:
    """Check a shot at cells of which some were shot and so many of each ship are left."""
    if len(cells) != 1:
        raise IllegalActionError(f"shots due: 1, fired: {len(cells)}")
    (cell,) = cells
    if not 0 <= cell < len(ships):
        raise IllegalActionError(f"cell {cell} is outside the board (0 to {len(ships) - 1})")
    if shot[cell]:
        raise IllegalActionError(f"cell {cell} was already shot")
    shot[cell] = True
    ship = ships[cell]
    if ship is None:
        return _MISS
    left[ship] -= 1
    if left[ship]:
        return CellsReport((cell,), ())
    del left[ship]
    return CellsReport((cell,), (ship,))


_MISS = CellsReport((), ())
